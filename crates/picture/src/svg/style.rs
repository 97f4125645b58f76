//! Colours and the style sheet.

use std::fmt::{self, Write};

/// Used where the caller's accent is not plainly a colour.
pub(super) const CALM_BLUE: &str = "#2f6fde";

/// A named colour, on light pages and on dark ones.
struct Colour {
    name: &'static str,
    light: &'static str,
    dark: &'static str,
}

/// In both schemes white men are light with a dark edge and black men dark with a light edge, on a board between the
/// two: neither hue nor the page's scheme is needed to tell them apart.
const PALETTE: [Colour; 16] = [
    Colour { name: "paper", light: "#fbf9f5", dark: "#1f1d1b" },
    Colour { name: "board", light: "#e9dcc3", dark: "#5a5246" },
    Colour { name: "shaded", light: "#d9c8a5", dark: "#4b443a" },
    Colour { name: "hole", light: "#fbf9f5", dark: "#1f1d1b" },
    Colour { name: "line", light: "#ad9b7b", dark: "#8d826f" },
    Colour { name: "border", light: "#7f6f56", dark: "#b3a78f" },
    Colour { name: "label", light: "#7b6d58", dark: "#a99e8b" },
    Colour { name: "camp-white", light: "#f8f1e2", dark: "#736958" },
    Colour { name: "camp-black", light: "#c6b48f", dark: "#393329" },
    Colour { name: "white", light: "#fffcf5", dark: "#f6ecda" },
    Colour { name: "white-edge", light: "#3b3229", dark: "#0f0d0b" },
    Colour { name: "black", light: "#37312b", dark: "#1b1815" },
    Colour { name: "black-edge", light: "#fdf8ee", dark: "#e9dfcc" },
    Colour { name: "orange", light: "#f4a64f", dark: "#f5ad5c" },
    Colour { name: "blue", light: "#24498c", dark: "#1b3872" },
    Colour { name: "danger", light: "#d8432a", dark: "#ff6a4d" },
];

/// What marks are painted with: the accent, and on dark pages a lighter one where the program can mix colours.
const GLOW: &str = "\
:where(.ag-picture){--ag-glow:var(--ag-accent)}\
@media (prefers-color-scheme:dark){@supports (color:color-mix(in oklab,red,red)){\
:where(.ag-picture){--ag-glow:color-mix(in oklab,var(--ag-accent) 70%,white)}}}";

/// Which property of which elements takes which colour.
const PAINTS: [(&str, &str, &str); 23] = [
    (".ag-paper", "fill", "paper"),
    (".ag-board", "fill", "board"),
    (".ag-board", "stroke", "board"),
    (".ag-shaded", "fill", "shaded"),
    (".ag-hole", "fill", "hole"),
    (".ag-camp-white", "fill", "camp-white"),
    (".ag-camp-black", "fill", "camp-black"),
    (".ag-active", "fill", "glow"),
    (".ag-active", "stroke", "glow"),
    (".ag-thin", "stroke", "line"),
    (".ag-thick", "stroke", "border"),
    (".ag-last-from,.ag-last-to", "fill", "glow"),
    (".ag-winning", "fill", "glow"),
    (".ag-winning", "stroke", "glow"),
    (".ag-danger", "fill", "danger"),
    (".ag-danger", "stroke", "danger"),
    (".ag-white", "fill", "white"),
    (".ag-white", "stroke", "white-edge"),
    (".ag-black", "fill", "black"),
    (".ag-black", "stroke", "black-edge"),
    (".ag-orange", "fill", "orange"),
    (".ag-blue", "fill", "blue"),
    (".ag-labels", "fill", "label"),
];

/// Everything that is not a colour.
const PLAIN: &str = "\
.ag-board{stroke-width:14;stroke-linejoin:round}\
.ag-active{fill-opacity:.2;stroke-width:5;stroke-linejoin:round}\
.ag-thin,.ag-thick{fill:none;stroke-width:3;stroke-linecap:round}\
.ag-thick{stroke-width:6}\
.ag-cell,.ag-crossing{fill:none;pointer-events:all}\
.ag-marks,.ag-men,.ag-labels{pointer-events:none}\
.ag-last-from{fill-opacity:.26}\
.ag-last-to{fill-opacity:.46}\
.ag-danger{fill-opacity:.5;stroke-opacity:.35;stroke-width:12}\
.ag-winning{fill-opacity:.35;stroke-width:6}\
.ag-men{stroke-width:4.5;stroke-linejoin:round;stroke-linecap:round}\
.ag-inner{fill:none;stroke-width:2.5;stroke-opacity:.5}\
.ag-bar{stroke-width:13}\
.ag-labels{font:500 32px ui-sans-serif,system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;\
font-variant-numeric:tabular-nums;text-anchor:middle}\
.ag-small{font-size:25px}";

/// Writes the `<style>` element.
pub(super) fn write_sheet(out: &mut String, accent: &str) -> fmt::Result {
    out.write_str("<style>")?;
    write_rules(out, accent)?;
    out.write_str("</style>")
}

/// Writes the rules of the style sheet.
///
/// Each colour is written twice, plain and as a custom property: programs that do not know custom properties drop the
/// second and draw the light scheme.
pub(super) fn write_rules(out: &mut String, accent: &str) -> fmt::Result {
    out.write_str(":where(.ag-picture){")?;
    for Colour { name, light, .. } in &PALETTE {
        write!(out, "--ag-{name}:{light};")?;
    }
    out.write_str("}@media (prefers-color-scheme:dark){:where(.ag-picture){")?;
    for Colour { name, dark, .. } in &PALETTE {
        write!(out, "--ag-{name}:{dark};")?;
    }
    out.write_str("}}")?;
    out.write_str(GLOW)?;
    for (elements, property, colour) in PAINTS {
        let plain = PALETTE.iter().find(|known| known.name == colour).map_or(accent, |known| known.light);
        write!(out, "{elements}{{{property}:{plain};{property}:var(--ag-{colour})}}")?;
    }
    out.write_str(PLAIN)
}

/// `accent` if it is a hexadecimal colour, a colour name or a colour function, else [`CALM_BLUE`]: the text goes into
/// a style sheet, where anything else could break out.
pub(super) fn checked_accent(accent: &str) -> &str {
    let accent = accent.trim();
    let good = if let Some(digits) = accent.strip_prefix('#') {
        matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    } else if let Some((function, rest)) = accent.split_once('(') {
        matches!(function, "rgb" | "rgba" | "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch")
            && rest.strip_suffix(')').is_some_and(|arguments| arguments.bytes().all(is_argument_byte))
    } else {
        !accent.is_empty() && accent.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    if good { accent } else { CALM_BLUE }
}

fn is_argument_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" ,.%+-/".contains(&byte)
}
