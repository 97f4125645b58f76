//! Who meets whom in a round robin, and when: the circle method.

/// Every pair of `teams` once, in rounds in which nobody plays twice: one team stays, the others move around it.
pub(crate) fn round_robin(teams: usize) -> Vec<(usize, usize)> {
    let seats = teams + teams % 2;
    let mut circle: Vec<usize> = (0..seats).collect();
    let mut pairs = Vec::new();
    for round in 1..seats {
        for i in 0..seats / 2 {
            let (one, other) = (circle[i], circle[seats - 1 - i]);
            if one < teams && other < teams {
                // The one that stays begins every other time.
                pairs.push(if i == 0 && round % 2 == 0 { (other, one) } else { (one, other) });
            }
        }
        circle[1..].rotate_right(1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::round_robin;
    use std::collections::HashSet;

    #[test]
    fn everybody_meets_everybody_once() {
        for teams in 0..40 {
            let pairs = round_robin(teams);
            let met: HashSet<(usize, usize)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            assert_eq!(met.len(), pairs.len());
            assert_eq!(pairs.len(), teams * teams.saturating_sub(1) / 2);
            assert!(pairs.iter().all(|(a, b)| a != b));
        }
    }
}
