//! JSON in which no object has two members of one name: readers differ in which of them they take.

use std::{collections::BTreeSet, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// Any JSON value without such members.
pub(super) struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique, A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            let Unique = map.next_value()?;
            if names.contains(&name) {
                return Err(A::Error::custom(format!("two members are called {}", agon_rules::quote(&name))));
            }
            names.insert(name);
        }
        Ok(Unique)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Unique, A::Error> {
        while let Some(Unique) = all.next_element()? {}
        Ok(Unique)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<Unique, D::Error> {
        IgnoredAny::deserialize(value).map(|_| Unique)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_members_of_one_name_are_found_wherever_they_are() {
        let read = |text: &str| serde_json::from_str::<Unique>(text).map(|_| ()).map_err(|e| e.to_string());
        assert_eq!(read(r#"{"a": [1, -1, 0.5, null, true, "x"], "b": {"a": 1}}"#), Ok(()));
        for text in [r#"{"a": 1, "b": 2, "a": 1}"#, r#"[{"x": {"a": [], "\u0061": 2}}]"#] {
            let problem = read(text).expect_err("twice");
            assert!(problem.starts_with("two members are called 'a'"), "{problem}");
        }
    }
}
