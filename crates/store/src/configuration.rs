//! Are two configurations the same, and if not, where do they differ?

use serde_json::{Map, Value};

use crate::error::shortened;

/// What differs between two configurations, ready to print; empty if nothing does. The order of keys and white space
/// mean nothing in JSON, so they make no difference; anything that is not JSON is compared as text.
pub(crate) fn differences(old: &str, new: &str) -> Vec<String> {
    if old == new {
        return Vec::new();
    }
    let mut found = Vec::new();
    match (serde_json::from_str(old), serde_json::from_str(new)) {
        (Ok(Value::Object(old)), Ok(Value::Object(new))) => compare("", &old, &new, &mut found),
        (Ok::<Value, _>(a), Ok::<Value, _>(b)) if a == b => {}
        _ => found.push(format!("it was {}, now {}", shortened(old), shortened(new))),
    }
    found
}

/// Walks two objects; `path` is what leads to them, with a dot at its end. The depth is bounded by the JSON parser.
fn compare(path: &str, old: &Map<String, Value>, new: &Map<String, Value>, found: &mut Vec<String>) {
    for (key, before) in old {
        let name = format!("{path}{key}");
        match (before, new.get(key)) {
            (before, Some(now)) if before == now => {}
            (Value::Object(before), Some(Value::Object(now))) => compare(&format!("{name}."), before, now, found),
            (before, now) => found.push(sentence(&name, Some(before), now)),
        }
    }
    for (key, now) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        found.push(sentence(&format!("{path}{key}"), None, Some(now)));
    }
}

fn sentence(name: &str, before: Option<&Value>, now: Option<&Value>) -> String {
    let shown = |value: Option<&Value>| value.map_or_else(|| "absent".into(), |value| shortened(&value.to_string()));
    format!("{} was {}, now {}", shortened(name), shown(before), shown(now))
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn order_and_space_are_no_difference() {
        assert!(differences(r#"{"a":1,"b":{"c":[1,2]}}"#, r#"{ "b": {"c": [1, 2]}, "a": 1 }"#).is_empty());
        assert!(differences("[1,2]", "[1, 2]").is_empty());
        assert!(differences("not json", "not json").is_empty());
    }

    #[test]
    fn every_differing_key_is_named() {
        let old = r#"{"battles":100,"clock":{"base":10,"step":1},"gone":true}"#;
        let new = r#"{"battles":200,"clock":{"base":10,"step":2},"fresh":"x"}"#;
        assert_eq!(
            differences(old, new),
            [
                "battles was 100, now 200",
                "clock.step was 1, now 2",
                "gone was true, now absent",
                "fresh was absent, now \"x\""
            ]
        );
    }

    #[test]
    fn what_is_no_object_is_shown_whole() {
        assert_eq!(differences("[1]", "[2]"), ["it was [1], now [2]"]);
        assert_eq!(differences("tc=1", "{}"), ["it was tc=1, now {}"]);
        let long = "x".repeat(1 << 20);
        assert_eq!(differences("a\nb", &long), [format!("it was a\\nb, now {}…", "x".repeat(60))]);
    }
}
