//! The weights of an evaluation, each declared once: the search reads them as constants, the lab fits them by name.

/// What is known of a weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    /// Its name.
    pub name: &'static str,
    /// What is counted.
    pub meaning: &'static str,
    /// What each of them is worth.
    pub value: i32,
}

/// Declares the weights of an evaluation: `name: value, "what is counted";`.
///
/// It makes a type `Terms` with one number for each weight. The constant `WEIGHTS` is one: what each is worth. Boards on which
/// something is worth more or less have one of their own. The others are
/// counts: how many more of each the side to move has. `Terms::worth` multiplies the two; `Terms::list` and `Terms::values` are for
/// [`Searchable::weights`](crate::Searchable::weights) and [`Searchable::features`](crate::Searchable::features).
///
/// ```
/// agon_search::weights! {
///     man: 100, "a man";
///     king: 250, "a man that has reached the far side";
/// }
///
/// let ours = Terms { man: 7, king: 1 };
/// let theirs = Terms { man: 8, king: 0 };
/// assert_eq!((ours - theirs).worth(&WEIGHTS), WEIGHTS.king - WEIGHTS.man);
/// assert_eq!((ours - theirs).values(), [-1, 1]);
/// assert_eq!(WEIGHTS.list()[0].meaning, "a man");
///
/// const ON_LARGE_BOARDS: Terms = Terms { king: 300, ..WEIGHTS };
/// assert_eq!((ours - theirs).worth(&ON_LARGE_BOARDS), 200);
/// ```
#[macro_export]
macro_rules! weights {
    ($($name:ident: $value:literal, $meaning:literal;)*) => {
        /// One number for each weight of the evaluation: what it is worth, or how often it counts.
        #[derive(Clone, Copy, Default)]
        struct Terms {
            $(#[doc = $meaning] $name: i32,)*
        }

        /// What each is worth.
        const WEIGHTS: Terms = Terms { $($name: $value,)* };

        impl Terms {
            /// These numbers as weights.
            fn list(self) -> Vec<$crate::Weight> {
                vec![$($crate::Weight { name: stringify!($name), meaning: $meaning, value: self.$name },)*]
            }

            /// What the counts are worth together.
            #[inline]
            fn worth(self, weights: &Terms) -> i32 {
                0 $(+ self.$name * weights.$name)*
            }

            /// The numbers, in the order of the list.
            fn values(self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }
        }

        impl std::ops::Sub for Terms {
            type Output = Terms;

            #[inline]
            fn sub(self, other: Terms) -> Terms {
                Terms { $($name: self.$name - other.$name,)* }
            }
        }
    };
}
