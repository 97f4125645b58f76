//! Teams, and what the courses ask of them.

use std::collections::{BTreeMap, BTreeSet};

use agon_rules::quote;
use serde::Deserialize;

use super::{Roster, Student};

/// The members of a team in a phase.
#[derive(Clone, PartialEq, Debug)]
pub struct Team<'a> {
    /// Its name in the roster.
    pub name: &'a str,
    /// Those who belong to it, in the roster's order; whoever has dropped the course among them.
    pub members: Vec<&'a Student>,
}

impl Team<'_> {
    /// The entry numbers of those who are still there.
    pub fn entries(&self) -> Vec<&str> {
        self.active().map(|student| student.entry.as_str()).collect()
    }

    /// Those who have not dropped the course.
    pub fn active(&self) -> impl Iterator<Item = &Student> {
        self.members.iter().copied().filter(|student| !student.dropped)
    }

    /// The name under which its bot is registered, if the roster says.
    pub fn bot(&self) -> Option<&str> {
        self.members.iter().map(|student| student.bot.as_str()).find(|bot| !bot.is_empty())
    }

    /// Whether nobody is left.
    pub fn is_gone(&self) -> bool {
        self.active().next().is_none()
    }

    /// The mean of what is known of its members, such as their scores in an earlier phase.
    pub fn mean(&self, of: impl Fn(&Student) -> Option<f64>) -> Option<f64> {
        let known: Vec<f64> = self.active().filter_map(of).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }
}

/// The teams of a phase, in the order in which the roster first names them.
pub fn teams_of<'a>(roster: &'a Roster, phase: &str) -> Vec<Team<'a>> {
    let mut teams: Vec<Team<'a>> = Vec::new();
    for student in &roster.students {
        let name = student.team_in(phase);
        match teams.iter_mut().find(|team| team.name == name) {
            Some(team) => team.members.push(student),
            None => teams.push(Team { name, members: vec![student] }),
        }
    }
    teams
}

/// What a course asks of teams. A rule about a column that the roster does not have is not checked.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TeamRule {
    /// A team has at most so many members.
    AtMost {
        /// How many.
        count: usize,
        /// Where the source says so.
        section: String,
        /// In its words.
        says: String,
    },
    /// Partners stay together from one phase to the next, unless one has dropped the course or the organiser permits it.
    SamePartner {
        /// Where the source says so.
        section: String,
        /// In its words.
        says: String,
    },
    /// Nobody has the partner of the assignment before: the column `before`.
    NewPartner {
        /// A column and its value for students who may, up to twice.
        except: Option<(String, String)>,
        /// Where the source says so.
        section: String,
        /// In its words.
        says: String,
    },
    /// At least one member has one of these values in a column.
    OneOf {
        /// The column.
        column: String,
        /// What is wanted; capitals do not matter.
        values: Vec<String>,
        /// Where the source says so.
        section: String,
        /// In its words.
        says: String,
    },
    /// All members have the same value in a column.
    Alike {
        /// The column.
        column: String,
        /// Where the source says so.
        section: String,
        /// In its words.
        says: String,
    },
}

/// A team that breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamFinding {
    /// The team.
    pub team: String,
    /// What is so.
    pub found: String,
    /// Where the source asks for something else.
    pub section: String,
    /// In its words.
    pub says: String,
}

/// Looks at the teams of a phase. `earlier` is the phase before, if there was one.
pub fn check_teams(rules: &[TeamRule], roster: &Roster, phase: &str, earlier: Option<&str>) -> Vec<TeamFinding> {
    let mut findings = Vec::new();
    for team in teams_of(roster, phase) {
        for rule in rules {
            let (found, section, says) = match rule {
                TeamRule::AtMost { count, section, says } => (too_many(&team, *count), section, says),
                TeamRule::SamePartner { section, says } => {
                    (earlier.and_then(|earlier| changed(&team, roster, earlier)), section, says)
                }
                TeamRule::NewPartner { except, section, says } => {
                    (again(&team, roster, except.as_ref()), section, says)
                }
                TeamRule::OneOf { column, values, section, says } => {
                    (none_of(&team, roster, column, values), section, says)
                }
                TeamRule::Alike { column, section, says } => (unlike(&team, roster, column), section, says),
            };
            if let Some(found) = found {
                let (team, section, says) = (team.name.to_owned(), section.clone(), says.clone());
                findings.push(TeamFinding { team, found, section, says });
            }
        }
    }
    findings
}

fn too_many(team: &Team<'_>, most: usize) -> Option<String> {
    let count = team.active().count();
    (count > most).then(|| format!("{count} members, and at most {most} are allowed: {}", team.entries().join(", ")))
}

/// Whether somebody left a partner who is still there, or joined one.
fn changed(team: &Team<'_>, roster: &Roster, earlier: &str) -> Option<String> {
    let before: BTreeMap<&str, &str> =
        roster.students.iter().map(|student| (student.entry.as_str(), student.team_in(earlier))).collect();
    let together: BTreeSet<&str> = team.active().map(|student| student.entry.as_str()).collect();
    for student in team.active().filter(|student| student.permission.is_empty()) {
        let partner = roster.students.iter().find(|other| {
            let were = before[other.entry.as_str()] == before[student.entry.as_str()];
            were && !other.dropped && other.entry != student.entry && !together.contains(other.entry.as_str())
        });
        if let Some(partner) = partner {
            let (student, partner) = (&student.entry, &partner.entry);
            return Some(format!(
                "{student} worked with {partner} in {earlier}, who has not dropped the course; no permission is noted"
            ));
        }
    }
    None
}

fn again(team: &Team<'_>, roster: &Roster, except: Option<&(String, String)>) -> Option<String> {
    for student in team.active().filter(|student| student.permission.is_empty()) {
        // Whoever may have a partner twice has them for the second time now.
        let may = except.is_some_and(|(column, value)| {
            student.cell(roster, column).is_some_and(|cell| cell.eq_ignore_ascii_case(value))
        });
        let times = |other: &str| student.before.iter().filter(|entry| entry.eq_ignore_ascii_case(other)).count();
        let most = usize::from(may);
        if let Some(other) = team.active().find(|other| times(&other.entry) > most) {
            return Some(format!("{} has worked with {} before", student.entry, other.entry));
        }
    }
    None
}

fn none_of(team: &Team<'_>, roster: &Roster, column: &str, values: &[String]) -> Option<String> {
    let cells: Vec<&str> = team.active().filter_map(|student| student.cell(roster, column)).collect();
    let wanted = |cell: &&str| values.iter().any(|value| value.eq_ignore_ascii_case(cell));
    if cells.is_empty() || cells.iter().any(wanted) {
        return None;
    }
    Some(format!("the column {column} says {}, and one member must be of {}", cells.join(", "), values.join(", ")))
}

fn unlike(team: &Team<'_>, roster: &Roster, column: &str) -> Option<String> {
    let cells: BTreeSet<&str> = team.active().filter_map(|student| student.cell(roster, column)).collect();
    let listed: Vec<String> = cells.iter().map(|cell| quote(cell)).collect();
    (cells.len() > 1).then(|| format!("the column {column} differs: {}", listed.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::table::parse;

    fn says() -> (String, String) {
        ("8".to_owned(), "so it is".to_owned())
    }

    fn found(rule: TeamRule, table: &str) -> Vec<String> {
        let roster = parse(table).expect("a roster");
        check_teams(&[rule], &roster, "A5", Some("A2")).into_iter().map(|finding| finding.found).collect()
    }

    #[test]
    fn teams_are_small() {
        let (section, says) = says();
        let rule = TeamRule::AtMost { count: 2, section, says };
        let found = found(rule, "entry,name,team,dropped\n1,a,x,\n2,b,x,\n3,c,x,\n4,d,y,\n5,e,y,\n6,f,y,yes\n");
        assert_eq!(found, ["3 members, and at most 2 are allowed: 1, 2, 3"], "whoever dropped the course is gone");
    }

    #[test]
    fn partners_stay_together_unless_one_drops_or_it_is_permitted() {
        let (section, says) = says();
        let rule = TeamRule::SamePartner { section, says };
        let table = "entry,name,team,team.A2,dropped,permission\n\
                     1,a,x,p,,\n2,b,y,p,,\n3,c,y,q,,\n4,d,z,q,yes,\n5,e,v,r,,by mail of 3 October\n6,f,u,r,,by mail\n7,g,w,w,,\n8,h,w,w,,\n";
        let found = found(rule, table);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("1 worked with 2 in A2") && found[1].starts_with("2 worked with 1 in A2"));
    }

    #[test]
    fn partners_are_new_where_the_course_wants_that() {
        let (section, says) = says();
        let except = Some(("code".to_owned(), "COL671".to_owned()));
        let rule = TeamRule::NewPartner { except, section, says };
        let table =
            "entry,name,team,before,code\n1,a,x,2,\n2,b,x,1,\n3,c,y,4,COL671\n4,d,y,,\n5,e,z,6 6,COL671\n6,f,z,,\n";
        assert_eq!(found(rule, table), ["1 has worked with 2 before", "5 has worked with 6 before"]);
    }

    #[test]
    fn columns_say_who_may_take_part_together() {
        let (section, says) = says();
        let values = vec!["CS".to_owned(), "IT".to_owned()];
        let (column, again) = ("branch".to_owned(), ("8".to_owned(), "so it is".to_owned()));
        let table = "entry,name,team,branch,year\n1,a,x,cs,2\n2,b,x,EE,2\n3,c,y,EE,2\n4,d,y,ME,3\n";
        let one = found(TeamRule::OneOf { column, values, section, says }, table);
        assert_eq!(one, ["the column branch says EE, ME, and one member must be of CS, IT"]);
        let alike = TeamRule::Alike { column: "year".to_owned(), section: again.0.clone(), says: again.1.clone() };
        assert_eq!(found(alike, table), ["the column year differs: '2', '3'"]);
        let absent = TeamRule::Alike { column: "hall".to_owned(), section: again.0, says: again.1 };
        assert!(found(absent, table).is_empty(), "a column that is not there is not checked");
    }

    #[test]
    fn seeds_are_the_mean_of_what_members_had() {
        let roster = parse("entry,name,team,score\n1,a,x,10\n2,b,x,5\n3,c,y,7\n4,d,y,\n5,e,z,\n").expect("a roster");
        let seeds: Vec<Option<f64>> = teams_of(&roster, "A5").iter().map(|team| team.mean(|s| s.score)).collect();
        assert_eq!(seeds, [Some(7.5), Some(7.0), None]);
    }
}
