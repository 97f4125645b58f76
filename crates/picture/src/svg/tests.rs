use super::*;
use crate::Side;
use crate::{Label, Look, Piece, Region, Shape, Symbol, Tint};

const DOT: Symbol = Symbol::new('·', '.');
const FIGURE: &str = "M-20 40H20L0-40Z";

fn spot(name: &str, at: Point, shape: SpotShape) -> Spot {
    Spot { name: name.to_owned(), at, shape, empty: DOT }
}

fn piece(spot: usize, side: Side, shape: Shape) -> Piece {
    Piece { spot, side, shape, name: "man", symbol: DOT }
}

/// One of everything.
fn full() -> Picture {
    let shapes =
        [Shape::Ring, Shape::Disc, Shape::Stone, Shape::Block, Shape::BarAcross, Shape::BarDown, Shape::Figure(FIGURE)];
    let tones =
        [Tone::Board, Tone::Shaded, Tone::Hole, Tone::Camp(Side::First), Tone::Camp(Side::Second), Tone::Active];
    let kinds = [MarkKind::LastFrom, MarkKind::LastTo, MarkKind::Danger, MarkKind::Winning];
    let mut picture = Picture {
        size: (8.0, 3.0),
        grid: (0.5, 1.0),
        caption: "First to move. It stands badly.".to_owned(),
        ..Picture::default()
    };
    for (index, shape) in shapes.into_iter().enumerate() {
        let x = 0.5 + index as f32;
        picture.spots.push(spot(&format!("a{index}"), (x, 0.5), SpotShape::Cell));
        picture.spots.push(spot(&format!("b{index}"), (x, 1.5), SpotShape::Crossing));
        picture.pieces.push(piece(2 * index, Side::First, shape));
        picture.pieces.push(piece(2 * index + 1, Side::Second, shape));
        picture.labels.push(Label { at: (x, 2.5), text: index.to_string() });
    }
    picture.regions = tones.map(|tone| Region::rectangle((0.0, 0.0), (8.0, 3.0), tone)).to_vec();
    picture.marks = (0..8).map(|spot| Mark { spot, kind: kinds[spot / 2] }).collect();
    picture.lines = vec![
        Line { from: (0.0, 1.0), to: (8.0, 1.0), stroke: Stroke::Thick },
        Line { from: (1.0, 0.0), to: (1.0, 3.0), stroke: Stroke::Thin },
        Line { from: (0.0, 0.0), to: (2.0, 3.0), stroke: Stroke::Thin },
    ];
    picture
}

/// The elements in order, each as the text between its brackets. Panics unless every tag is closed in order, every
/// attribute quoted and given once, and every reference known.
fn elements(document: &str) -> Vec<String> {
    let (mut open, mut found, mut rest) = (Vec::new(), Vec::new(), document);
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag has no end");
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed out of order");
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            check_attributes(inner);
            found.push(inner.to_owned());
            if !tag.ends_with('/') {
                open.push(inner.split(' ').next().unwrap().to_owned());
            }
        }
        rest = &rest[end + 1..];
        assert!(!open.is_empty() || rest.trim().is_empty(), "something after the root");
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    found
}

fn check_attributes(tag: &str) {
    let mut names = Vec::new();
    let mut rest = tag.split_once(' ').map_or("", |(_, attributes)| attributes);
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").expect("an attribute without a quoted value");
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "odd attribute {name:?}");
        assert!(!names.contains(&name), "{name} is given twice in {tag}");
        names.push(name);
        let (value, after) = value.split_once('"').expect("a value has no end");
        check_text(value);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
}

fn check_text(text: &str) {
    assert!(!text.contains(['>', '<']) && !text.chars().any(|c| c.is_control() && c != '\n'), "raw: {text:?}");
    for reference in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(known.iter().any(|known| reference.starts_with(known)), "unknown reference in {text:?}");
    }
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = element.split_once(&format!(" {name}=\""))?;
    value.split('"').next()
}

fn with_class(document: &str, class: &str) -> Vec<String> {
    let has = |element: &String| attribute(element, "class").is_some_and(|all| all.split(' ').any(|one| one == class));
    elements(document).into_iter().filter(has).collect()
}

#[test]
fn a_picture_of_everything_is_well_formed() {
    let document = render(&full(), "#123456");
    let all = elements(&document);
    assert_eq!(attribute(&all[0], "viewBox"), Some("0 0 800 300"));
    assert_eq!(attribute(&all[0], "role"), Some("img"));
    assert!(document.contains("<title>First to move.</title><desc>First to move. It stands badly.</desc>"));
    elements(&render(&Picture::default(), ""));
}

#[test]
fn nothing_is_fetched_or_run() {
    let document = render(&full(), "#123456").replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    for foreign in ["http", "url(", "href", "@import", "<script", "<foreignObject"] {
        assert!(!document.contains(foreign), "{foreign}");
    }
    assert!(elements(&document).iter().all(|element| !element.contains(" on")));
}

#[test]
fn rendering_twice_gives_the_same_text() {
    assert_eq!(render(&full(), "teal"), render(&full(), "teal"));
}

#[test]
fn numbers_are_short() {
    let shown = |value: f32| Number(value).to_string();
    assert_eq!(shown(0.1 + 0.2), "30");
    assert_eq!(shown(3f32.sqrt() / 2.0), "86.6");
    assert_eq!(shown(-0.0), "0");
    assert_eq!(shown(-0.0004), "0");
    assert_eq!(shown(-0.005), "-0.5");
    assert_eq!(shown(1234.5), "123450");
    assert_eq!(shown(f32::NAN), "0");
}

#[test]
fn every_spot_can_be_found_by_its_index() {
    let picture = full();
    let spots = with_class(&render(&picture, "teal"), "spot");
    assert_eq!(spots.len(), picture.spots.len());
    for (index, element) in spots.iter().enumerate() {
        assert_eq!(attribute(element, "data-spot"), Some(index.to_string().as_str()));
        let label = attribute(element, "aria-label").unwrap();
        assert!(label.starts_with(&picture.spots[index].name), "{label}");
    }
    assert!(spots[0].starts_with("rect ") && spots[1].starts_with("circle "));
    assert_eq!((attribute(&spots[2], "x"), attribute(&spots[2], "y")), (Some("100"), Some("0")));
    assert_eq!((attribute(&spots[3], "cx"), attribute(&spots[3], "cy")), (Some("150"), Some("150")));
}

#[test]
fn a_spot_says_what_stands_on_it() {
    let mut picture = full();
    let label = |picture: &Picture, index: usize| {
        attribute(&with_class(&render(picture, "teal"), "spot")[index], "aria-label").unwrap().to_owned()
    };
    assert_eq!(label(&picture, 1), "b0, second man");
    picture.looks = Look::pair(["black", "white"], [Tint::Black, Tint::White]);
    assert_eq!(label(&picture, 0), "a0, black man");
    picture.pieces.push(piece(0, Side::Second, Shape::Disc));
    assert_eq!(label(&picture, 0), "a0, black man, white man");
    picture.pieces.clear();
    assert_eq!(label(&picture, 0), "a0");
}

#[test]
fn layers_lie_in_order() {
    let document = render(&full(), "teal");
    let body = &document[document.find("</style>").unwrap()..];
    let places: Vec<usize> =
        ["ag-paper", "ag-active", "ag-thin", "ag-thick", "spot ", "ag-marks", "ag-men", "ag-labels"]
            .iter()
            .map(|class| body.find(&format!("class=\"{class}")).unwrap_or_else(|| panic!("no {class}")))
            .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn clicks_pass_through_what_lies_above_the_spots() {
    assert!(render(&full(), "teal").contains(".ag-marks,.ag-men,.ag-labels{pointer-events:none}"));
}

/// What is drawn for a man alone on a board.
fn man(side: Side, shape: Shape) -> String {
    man_of(Picture::default().looks, side, shape)
}

fn man_of(looks: [Look; 2], side: Side, shape: Shape) -> String {
    let mut picture = Picture { size: (2.0, 2.0), looks, ..Picture::default() };
    picture.spots.push(spot("a1", (1.0, 0.5), SpotShape::Cell));
    picture.pieces.push(piece(0, side, shape));
    let document = render(&picture, "teal");
    let start = document.find("<g class=\"ag-men\">").unwrap();
    document[start..document.find("<g class=\"ag-labels\">").unwrap()].to_owned()
}

#[test]
fn every_shape_of_either_side_looks_different() {
    let shapes: Vec<Shape> = full().pieces.iter().map(|piece| piece.shape).step_by(2).collect();
    let mut looks: Vec<String> =
        Side::BOTH.iter().flat_map(|&side| shapes.iter().map(move |&shape| man(side, shape))).collect();
    assert!(looks.iter().all(|look| look.contains("translate(100 50)") && look.contains("data-on=\"0\"")));
    assert!(man(Side::First, Shape::Figure(FIGURE)).contains(FIGURE));
    let count = looks.len();
    looks.sort();
    looks.dedup();
    assert_eq!(looks.len(), count);
}

#[test]
fn a_disc_fits_into_the_hole_of_a_ring() {
    let radius = |text: &str, before: &str| -> f32 {
        let rest = &text[text.find(before).unwrap() + before.len()..];
        rest[..rest.find([' ', '"']).unwrap()].parse().unwrap()
    };
    let hole = radius(&man(Side::First, Shape::Ring), "ZM");
    let disc = radius(&man(Side::First, Shape::Disc), "circle r=\"");
    // Half of either edge lies in the gap.
    assert!(disc + 4.5 < hole, "{disc} {hole}");
}

#[test]
fn a_camp_is_as_dark_as_the_men_it_belongs_to() {
    let mut picture = full();
    let first = |picture: &Picture| {
        let document = render(picture, "teal");
        let men = elements(&document).into_iter().filter(|element| element.contains("translate(50 50)"));
        men.map(|element| attribute(&element, "class").unwrap().to_owned()).next().unwrap()
    };
    assert_eq!(first(&picture), "ag-white");
    picture.looks = Look::pair(["dark", "light"], [Tint::Black, Tint::White]);
    assert_eq!(first(&picture), "ag-black");
    picture.regions = vec![Region::rectangle((0.0, 0.0), (1.0, 1.0), Tone::Camp(Side::First))];
    let document = render(&picture, "teal");
    assert_eq!((with_class(&document, "ag-camp-black").len(), with_class(&document, "ag-camp-white").len()), (1, 0));
}

#[test]
fn men_wear_the_colours_of_their_side() {
    let classes = |tints| {
        let document = render(&Picture { looks: Look::pair(["one", "other"], tints), ..full() }, "teal");
        let men = elements(&document).into_iter().filter(|element| element.contains("translate(50 "));
        men.map(|element| attribute(&element, "class").unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(classes([Tint::Black, Tint::White]), ["ag-black", "ag-white"]);
    assert_eq!(classes([Tint::White, Tint::Black]), ["ag-white", "ag-black"]);
    assert_eq!(classes([Tint::Orange, Tint::Blue]), ["ag-white ag-orange", "ag-black ag-blue"]);
}

#[test]
fn stones_may_be_square() {
    let mut looks = Picture::default().looks;
    looks[1].square = true;
    for shape in [Shape::Stone, Shape::BarAcross, Shape::BarDown] {
        assert!(man_of(looks, Side::First, shape).contains("<circle"), "{shape:?}");
        assert!(!man_of(looks, Side::Second, shape).contains("<circle"), "{shape:?}");
        assert!(man(Side::Second, shape).contains("<circle"), "{shape:?}");
    }
}

#[test]
fn every_class_is_styled_and_every_colour_known() {
    let document = render(&full(), "teal");
    let (sheet, body) = document.split_once("</style>").unwrap();
    for element in elements(&format!("<svg>{body}")) {
        let classes = attribute(&element, "class").unwrap_or_default();
        for class in classes.split(' ').filter(|class| class.starts_with("ag-")) {
            assert!(sheet.contains(&format!(".{class}")), "{class} has no style");
        }
    }
    for used in sheet.split("var(").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        assert!(sheet.contains(&format!("{used}:")), "{used} is never set");
    }
    assert!(sheet.contains("@media (prefers-color-scheme:dark)"));
    assert_eq!(sheet.matches('{').count(), sheet.matches('}').count());
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "</text><script>alert('1')</script> \" onload=\"x & \0\u{1b}\u{ffff}";
    let mut picture = full();
    picture.caption = format!("{hostile}. {hostile}");
    picture.spots[0].name = hostile.to_owned();
    picture.labels[0].text = hostile.to_owned();
    picture.pieces[0].name = "\"><script>";
    picture.pieces[1].shape = Shape::Figure("\"/><script>");
    picture.looks = Look::pair(["<b>", "'"], [Tint::White, Tint::Black]);
    let all = elements(&render(&picture, "teal"));
    assert!(all.iter().all(|element| !element.starts_with("script") && attribute(element, "onload").is_none()));
    assert_eq!(all.len(), elements(&render(&full(), "teal")).len());
}

#[test]
fn only_colours_are_taken_as_accent() {
    for good in ["#2f6", "#2f6fde", "rebeccapurple", "rgb(1 2 3 / 50%)", "oklch(70% 0.1 200)", "hsl(120,50%,50%)"] {
        assert!(render(&full(), good).contains(&format!("style=\"--ag-accent:{good}\"")), "{good}");
    }
    for bad in ["", "#12", "red;}", "url(x)", "rgb(", "rgb(1))", "rgb(url(x))", "\"><script>", "red</style>", "é"] {
        let document = render(&full(), bad);
        assert!(document.contains(&format!("style=\"--ag-accent:{}\"", style::CALM_BLUE)), "{bad}");
        elements(&document);
    }
}

#[test]
fn men_and_marks_on_no_spot_are_left_out() {
    let mut picture = full();
    let before = elements(&render(&picture, "teal")).len();
    picture.pieces.push(piece(99, Side::First, Shape::Stone));
    picture.marks.push(Mark { spot: 99, kind: MarkKind::Danger });
    assert_eq!(elements(&render(&picture, "teal")).len(), before);
}

#[test]
fn cells_are_outlined_below_the_borders() {
    let mut picture = full();
    picture.spots.truncate(3);
    let document = render(&picture, "teal");
    let outlines = "<path class=\"ag-thin\" d=\"M0 0h100v100h-100zM100 0h100v100h-100z\"/>";
    assert!(document.find(outlines).unwrap() < document.find("class=\"ag-thick\"").unwrap());
}

#[test]
fn straight_lines_are_written_shortly() {
    let document = render(&full(), "teal");
    assert!(document.contains("<path class=\"ag-thin\" d=\"M100 0V300M0 0L200 300\"/>"));
    assert!(document.contains("<path class=\"ag-thick\" d=\"M0 100H800\"/>"));
}

#[test]
fn labels_are_centred_on_their_place_and_long_ones_small() {
    let mut picture = full();
    picture.labels = vec![Label { at: (0.25, 1.5), text: "10".to_owned() }];
    picture.labels.push(Label { at: (7.75, 1.5), text: "5 10".to_owned() });
    let document = render(&picture, "teal");
    assert!(document.contains("<text x=\"25\" y=\"150\" dy=\".35em\">10</text>"));
    assert!(document.contains("<text class=\"ag-small\" x=\"775\" y=\"150\" dy=\".35em\">5 10</text>"));
    assert!(document.contains("text-anchor:middle"));
}

#[test]
fn the_title_is_the_first_sentence() {
    assert_eq!(headline("White wins."), "White wins.");
    assert_eq!(headline("Score 1.5 to 2. White wins."), "Score 1.5 to 2.");
    assert_eq!(headline("White wins\nby far"), "White wins");
    assert_eq!(headline(" \n"), "Board");
}
