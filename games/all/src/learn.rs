//! What the pages teach: one text for each game.

/// The lessons of the game with this short name, in the few constructs that the pages know.
pub fn lessons(name: &str) -> Option<&'static str> {
    let text = match name {
        "cannon" => include_str!("../../cannon/learn.md"),
        "connectx" => include_str!("../../connectx/learn.md"),
        "rivers" => include_str!("../../rivers/learn.md"),
        "rollerball" => include_str!("../../rollerball/learn.md"),
        "yinsh" => include_str!("../../yinsh/learn.md"),
        _ => return None,
    };
    Some(text)
}
