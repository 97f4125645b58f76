//! The games.

use agon_originals::Original;
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::refusals;

/// A game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameView {
    /// The short name.
    name: String,
    title: String,
    /// What the players try to do.
    summary: String,
    sides: [String; 2],
    /// The variants worth listing, the usual one first.
    variants: Vec<String>,
    /// What a variant's name looks like.
    variant_form: String,
    /// The rule sets, the usual one first.
    rules: Vec<String>,
    /// The bots that live here.
    bots: Vec<String>,
}

fn view(game: &dyn Original) -> GameView {
    GameView {
        name: game.name().to_owned(),
        title: game.title().to_owned(),
        summary: game.summary().to_owned(),
        sides: game.sides().map(str::to_owned),
        variants: game.variants().iter().map(|&variant| variant.to_owned()).collect(),
        variant_form: game.variant_form().to_owned(),
        rules: game.rule_sets().iter().map(ToString::to_string).collect(),
        bots: agon_house::NAMES.iter().map(|&name| name.to_owned()).collect(),
    }
}

/// The games, in alphabetical order.
#[utoipa::path(get, path = "/api/games", responses(
    (status = 200, description = "the games", body = Vec<GameView>),
    refusals::Anything,
))]
pub(crate) async fn list() -> Json<Vec<GameView>> {
    Json(agon_all::GAMES.iter().map(|&game| view(game)).collect())
}
