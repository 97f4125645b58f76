//! Sessions with the command, as people see them: `tests/cmd/*.trycmd`.
//!
//! `TRYCMD=overwrite cargo test -p agon-cli --test commands` rewrites them; read the diff.

#[test]
fn sessions() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .env("COLUMNS", "100")
        .case("../../tests/cmd/*.trycmd");
}
