//! The ways in which requests are refused, declared once for the description of the interface.

use std::collections::BTreeMap;

use utoipa::{
    IntoResponses, PartialSchema, ToSchema,
    openapi::{ContentBuilder, Object, ObjectBuilder, Ref, RefOr, Response, ResponseBuilder, Schema, schema::Type},
};

/// Statuses and what they mean, each with a sentence in the answer.
fn described(refusals: &[(u16, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let content = || ContentBuilder::new().schema(Some(Ref::from_schema_name("ApiError"))).build();
    let response =
        |means: &str| ResponseBuilder::new().description(means).content("application/json", content()).build();
    refusals.iter().map(|(status, means)| (status.to_string(), response(means).into())).collect()
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident { $($status:literal: $means:literal,)* })*) => {
        $($(#[$doc])*
        pub(crate) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                described(&[$(($status, $means)),*])
            }
        })*
    };
}

refusals! {
    /// Any request.
    Anything {
        400: "the request cannot be read",
        408: "the request was not complete in time",
        421: "the arena is not known by this name",
        503: "the arena is too busy, or its machine failed: try again",
    }
    /// A request that may change something.
    Changes {
        401: "the arena's token is needed",
        403: "it may not be done by whoever asks",
        413: "the request is too large",
        429: "too many requests: wait a moment",
    }
    /// A body of JSON.
    Json {
        415: "the body is not said to be JSON",
    }
    /// Values that fit no game.
    Unacceptable {
        422: "what it says cannot be done by the rules",
    }
    /// The name of a match.
    Missing {
        404: "there is no such match",
    }
    /// The name of a tournament.
    NoTournament {
        404: "there is no such tournament",
    }
    /// A request that a match must be ready for.
    Untimely {
        409: "the match does not stand so that it can be done",
    }
    /// A question to the engine.
    FairPlay {
        409: "two people are playing in this position, and did not agree to ask the engine",
    }
    /// A change that must be kept.
    Unstorable {
        507: "it could not be written down, so it was not done: the disk is full, perhaps",
    }
}

/// The short name of a game: one of those that there are.
pub(crate) fn game() -> Object {
    let names = agon_all::GAMES.iter().map(|game| game.name());
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build()
}

/// The same as a type, for values in addresses.
pub(crate) struct GameName;

impl PartialSchema for GameName {
    fn schema() -> RefOr<Schema> {
        game().into()
    }
}

impl ToSchema for GameName {}
