//! A real browser, driven through ChromeDriver.
#![allow(dead_code, reason = "no test needs everything that a browser can do")]

use std::{
    process::Command,
    time::{Duration, Instant},
};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Value, json};

use super::program::{PATIENCE, Program};

/// A browser window.
pub(crate) struct Browser {
    session: String,
    agent: ureq::Agent,
    // Ended after the session.
    _driver: Program,
}

impl Browser {
    /// A new window of this size, in light or dark.
    pub(crate) fn open(width: u32, height: u32, dark: bool) -> Browser {
        let driver = Program::start(Command::new("chromedriver").arg("--port=0"), "successfully on port ");
        let agent: ureq::Agent =
            ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).build().into();
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            format!("--window-size={width},{height}"),
        ];
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments, "binary": "/usr/bin/chromium" },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let at = format!("http://127.0.0.1:{}/session", driver.port);
        let mut answer = agent.post(&at).send(wanted.to_string()).expect("ChromeDriver answers");
        let text = answer.body_mut().read_to_string().expect("text");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let id = value["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {value}"));
        let browser = Browser { session: format!("{at}/{id}"), agent, _driver: driver };
        browser.post("timeouts", &json!({ "script": PATIENCE.as_millis() as u64 }));
        browser
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        let at = format!("{}/{command}", self.session);
        let mut answer = self.agent.post(&at).send(body.to_string()).expect("ChromeDriver answers");
        let text = answer.body_mut().with_config().limit(1 << 28).read_to_string().expect("text");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert!(value["value"]["error"].is_null(), "{command} {body}: {}", value["value"]);
        value["value"].clone()
    }

    /// Goes to a page.
    pub(crate) fn go(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// Opens another tab of the same browser and goes on there; gives its name.
    pub(crate) fn new_tab(&self) -> String {
        let tab = self.post("window/new", &json!({ "type": "tab" }));
        let name = tab["handle"].as_str().expect("a name").to_owned();
        self.switch(&name);
        name
    }

    /// The name of this tab.
    pub(crate) fn tab(&self) -> String {
        let mut answer = self.agent.get(format!("{}/window", self.session)).call().expect("ChromeDriver answers");
        let text = answer.body_mut().read_to_string().expect("text");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        value["value"].as_str().expect("a name").to_owned()
    }

    /// Goes on in this tab.
    pub(crate) fn switch(&self, tab: &str) {
        self.post("window", &json!({ "handle": tab }));
    }

    /// Runs the body of a function in the page; its value must be JSON.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs the body of an async function in the page.
    pub(crate) fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, (e) => done('' + e));"
        );
        self.post("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true in the page, and gives it.
    pub(crate) fn wait(&self, expression: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let value = self.run(&format!("return {expression};"));
            if value != Value::Null && value != json!(false) && value != json!("") {
                return value;
            }
            assert!(Instant::now() < deadline, "waited for {expression}\n{}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page says.
    pub(crate) fn text(&self) -> String {
        self.run("return document.body.innerText;").as_str().unwrap_or_default().to_owned()
    }

    /// Clicks the middle of the first element that `selector` finds, with the mouse.
    pub(crate) fn click(&self, selector: &str) {
        let script = format!(
            "const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];"
        );
        let at = self.run(&script);
        let (x, y) = (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"));
        self.post(
            "actions",
            &json!({ "actions": [{ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [
                { "type": "pointerMove", "duration": 0, "x": x.round() as i64, "y": y.round() as i64 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ] }] }),
        );
    }

    /// Drags from the middle of one element to the middle of another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let middle = |selector: &str| {
            let script = format!(
                "const r = document.querySelector({selector:?}).getBoundingClientRect(); \
                 return [r.x + r.width / 2, r.y + r.height / 2];"
            );
            let at = self.run(&script);
            (at[0].as_f64().expect("x").round() as i64, at[1].as_f64().expect("y").round() as i64)
        };
        let (from, to) = (middle(from), middle(to));
        self.post(
            "actions",
            &json!({ "actions": [{ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [
                { "type": "pointerMove", "duration": 0, "x": from.0, "y": from.1 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerMove", "duration": 50, "x": to.0, "y": to.1 },
                { "type": "pointerUp", "button": 0 },
            ] }] }),
        );
    }

    /// Presses keys one after the other; names as in the WebDriver standard (`\u{e004}` is Tab).
    pub(crate) fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() })))
            .collect();
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// A command of the browser's own protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Shows the page as on a screen of this width, in light or dark.
    pub(crate) fn screen(&self, width: u32, dark: bool) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        // A picture of the whole page has none, and must be laid out as what was looked at.
        self.devtools("Emulation.setScrollbarsHidden", &json!({ "hidden": true }));
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": [scheme] }));
    }

    /// A picture of the whole page, as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        // A page scrolls to its top: what is above could not be seen.
        self.run("window.scrollTo({ top: 0, behavior: 'instant' });");
        let shot = self.devtools("Page.captureScreenshot", &json!({ "captureBeyondViewport": true }));
        BASE64_STANDARD.decode(shot["data"].as_str().expect("data")).expect("base64")
    }

    /// What the console said that is an error.
    pub(crate) fn errors(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "browser" }));
        let severe = entries.as_array().into_iter().flatten().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
    }
}
