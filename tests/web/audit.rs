//! What can be wrong with a page whatever it says: for those who see little or hear it read, on a phone, in the dark.

use std::{fs, path::PathBuf};

use serde_json::Value;

use super::driver::Browser;

/// Where the repository's build folder is, however this program was built.
pub(crate) fn build_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// The source of axe-core, which knows the rules of accessible pages.
pub(crate) fn axe() -> String {
    let file = build_folder().join("axe/axe.min.js");
    fs::read_to_string(&file).unwrap_or_else(|error| {
        panic!("{}: {error}: axe-core is missing; run ./check, which installs it", file.display())
    })
}

/// What axe finds wrong, one sentence each. It runs beside the page's own scripts, which its policy does not forbid.
pub(crate) fn accessibility(browser: &Browser, axe: &str) -> Vec<String> {
    browser.run(axe);
    let found = browser.run_async(
        "const { violations } = await axe.run(document, {
           resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
         return violations.flatMap((rule) => rule.nodes.slice(0, 3).map((node) =>
           `${rule.id} (${rule.help}): ${node.target.join(' ')}: ${node.failureSummary.replace(/\\s+/g, ' ')}`));",
    );
    sentences(&found)
}

/// Contrast that a man's body or edge must have with what lies below it.
const LEAST_CONTRAST: f64 = 3.0;

/// The contrast of every man with the ground he stands on: the better one of his body and his edge.
const CONTRASTS: &str = "
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const bytes = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const over = (ground, colour, share) => ground.map((value, index) => value + (bytes(colour)[index] - value) * share);
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  for (const man of document.querySelectorAll('.ag-men > g')) {
    man.scrollIntoView({ block: 'center', behavior: 'instant' });
    const svg = man.closest('svg');
    const box = man.getBoundingClientRect();
    const below = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      .filter((element) => element !== svg && svg.contains(element)).reverse();
    below.push(...svg.querySelectorAll(`.ag-marks [data-on=\"${man.dataset.on}\"]`));
    let ground = [255, 255, 255];
    for (const element of below) {
      const { fill, fillOpacity } = getComputedStyle(element);
      if (fill !== 'none') ground = over(ground, fill, Number(fillOpacity));
    }
    const { fill, stroke } = getComputedStyle(man);
    found.push({ man: man.getAttribute('class'), on: man.dataset.on, ground: ground.map(Math.round).join(),
      contrast: Math.max(contrast(bytes(fill), ground), contrast(bytes(stroke), ground)), layers: below.length });
  }
  return found;";

/// The men of the boards on a page that are too much like what they stand on.
pub(crate) fn faint_men(browser: &Browser) -> Vec<String> {
    let found = browser.run_async(CONTRASTS);
    let men = found.as_array().unwrap_or_else(|| panic!("no list of men: {found}"));
    let faint = |man: &&Value| man["contrast"].as_f64().unwrap_or(0.0) < LEAST_CONTRAST || man["layers"] == 0;
    men.iter().filter(faint).map(|man| format!("a man is hard to see: {man}")).collect()
}

/// Whether something reaches beyond the side of the screen.
pub(crate) fn sideways(browser: &Browser) -> Vec<String> {
    let found = browser.run(
        "const width = document.documentElement.clientWidth;
         if (document.documentElement.scrollWidth <= width) return [];
         const wide = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > width + 0.5);
         const names = wide.slice(0, 5).map((e) => `${e.tagName} ${e.className.baseVal ?? e.className}`);
         return [`wider than ${width} px: ${names.join(', ')}`];",
    );
    sentences(&found)
}

/// What was asked of anybody but the arena.
pub(crate) fn foreign(browser: &Browser) -> Vec<String> {
    let found = browser.run(
        "return performance.getEntriesByType('resource').map((entry) => entry.name)
           .filter((name) => new URL(name).origin !== location.origin && !name.startsWith('data:'))
           .map((name) => `asks another host: ${name}`);",
    );
    sentences(&found)
}

fn sentences(found: &Value) -> Vec<String> {
    let list = found.as_array().unwrap_or_else(|| panic!("no list: {found}"));
    list.iter().map(|sentence| sentence.as_str().unwrap_or_default().to_owned()).collect()
}
