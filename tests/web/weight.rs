//! How many bytes a browser fetches to show a page.

use std::collections::BTreeSet;

/// What a page and everything that it names weigh on the way, compressed as a browser asks for it: heads and bodies.
pub(crate) fn transferred(agent: &ureq::Agent, site: &str, page: &str) -> usize {
    let mut known = BTreeSet::from([page.to_owned()]);
    let mut open = vec![page.to_owned()];
    let mut bytes = 0;
    while let Some(path) = open.pop() {
        let address = format!("{site}{path}");
        bytes += compressed(agent, &address);
        for named in named_in(&path, &plain(agent, &address)) {
            if known.insert(named.clone()) {
                open.push(named);
            }
        }
    }
    // A style sheet for boards, one for pages, an icon and a module at least: else something was not found.
    assert!(known.len() >= 5, "{page} names only {known:?}");
    bytes
}

fn plain(agent: &ureq::Agent, address: &str) -> String {
    let mut response = agent.get(address).call().expect("an answer");
    assert_eq!(response.status(), 200, "{address}");
    response.body_mut().read_to_string().expect("text")
}

fn compressed(agent: &ureq::Agent, address: &str) -> usize {
    let mut response = agent.get(address).header("accept-encoding", "gzip").call().expect("an answer");
    let head: usize = response.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    head + response.body_mut().read_to_vec().expect("bytes").len()
}

/// Files that a page or a module loads.
fn named_in(path: &str, text: &str) -> Vec<String> {
    let quoted = |before: &str| -> Vec<String> {
        let parts = text.split(before).skip(1);
        parts.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    if let Some((folder, _)) = path.rsplit_once('/').filter(|_| path.ends_with(".js")) {
        return quoted("from \"./").into_iter().map(|name| format!("{folder}/{name}")).collect();
    }
    let named = [quoted("href=\""), quoted("src=\"")].concat();
    named.into_iter().filter(|name| name.starts_with("/assets/")).collect()
}
