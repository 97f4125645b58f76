//! The outlines of the men, as data of SVG paths in a box from (-50, -50) to (50, 50).

use crate::Kind;

/// The outline of a man.
pub(crate) const fn outline(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => PAWN,
        Kind::Rook => ROOK,
        Kind::Bishop => BISHOP,
        Kind::King => KING,
        Kind::Knight => KNIGHT,
    }
}

/// A head on a collar and a flared foot.
const PAWN: &str = "M0-35a15 15 0 0 1 10 26h7v9h-9c1 13 5 20 15 25v3h6v11h-58v-11h6v-3c10-5 14-12 15-25h-9v-9h7\
    a15 15 0 0 1 10-26z";

/// A tower with three battlements.
const ROOK: &str = "M-26-38h12v9h8v-9h12v9h8v-9h12v22l-8 7v27l7 9h5v11h-60v-11h5l7-9v-27l-8-7z";

/// A mitre with its slit, a knob on top, a collar and a foot.
const BISHOP: &str = "M0-47a7 7 0 0 1 0 14a7 7 0 0 1 0-14z\
    M0-34L9-27L-3-12L4-7L16-20C22-12 23-5 19 1C17 5 13 8 9 10H-9C-17 6-24-1-22-10C-20-19-10-27 0-34z\
    M-16 9h32v10h-32z\
    M-10 19H10C11 25 18 27 28 28V39H-28V28C-18 27-11 25-10 19z";

/// A cross above two lobes.
const KING: &str = "M-5-48H5V-41H12V-32H5V-14H-5V-32H-12V-41H-5z\
    M0-10C6-28 34-28 34-6C34 6 26 12 21 21H-21C-26 12-34 6-34-6C-34-28-6-28 0-10z\
    M-23 21H23V28H29V39H-29V28H-23z";

/// A horse's head that looks to the left, with an eye.
const KNIGHT: &str = "M-20 28C-19 13-1 8 1-8C-6-2-13-2-17 3C-20 8-26 9-30 4C-34 0-33-6-30-11C-26-18-25-25-18-32L-16-45L-6-36\
    C17-35 29-10 25 28H30V39H-26V28z\
    M-13-21a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";
