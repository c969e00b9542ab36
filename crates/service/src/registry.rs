//! The commands that exist, found by name.
//!
//! Invariant: every registered name is unique and stands in the table or among the extras, so that counts, orders and
//! suggestions of all catalogues agree.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::command::Declaration;
use crate::planned::{EXTRAS, TABLE};

/// A set of commands.
#[derive(Debug)]
pub struct Registry {
    declarations: Vec<Declaration>,
    by_name: HashMap<&'static str, usize>,
}

impl Registry {
    /// A registry of these commands. Of two with one name the later wins.
    pub fn of(declarations: Vec<Declaration>) -> Self {
        let by_name = declarations
            .iter()
            .enumerate()
            .map(|(at, declaration)| (declaration.name, at))
            .collect();
        Registry { declarations, by_name }
    }

    /// The command with this name.
    pub fn get(&self, name: &str) -> Option<&Declaration> {
        self.by_name.get(name).map(|at| &self.declarations[*at])
    }

    /// All commands, in the order of their registration.
    pub fn all(&self) -> impl Iterator<Item = &Declaration> {
        self.declarations.iter()
    }

    /// Names of the table that are built, in its order.
    pub fn built(&self) -> impl Iterator<Item = &'static str> {
        TABLE.into_iter().filter(|name| self.get(name).is_some())
    }

    /// Names of the table that are not built yet, in its order.
    pub fn planned(&self) -> impl Iterator<Item = &'static str> {
        TABLE.into_iter().filter(|name| self.get(name).is_none())
    }

    /// Methods outside the table that are built.
    pub fn extras(&self) -> impl Iterator<Item = &'static str> {
        EXTRAS.into_iter().filter(|name| self.get(name).is_some())
    }

    /// Whether the name belongs to the product but has no command yet.
    pub fn is_planned(&self, name: &str) -> bool {
        self.get(name).is_none() && (TABLE.contains(&name) || EXTRAS.contains(&name))
    }
}

/// The product's commands.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::of(crate::commands::all()));
    &REGISTRY
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_known_to_the_table() {
        let names: Vec<&str> = registry().all().map(|declaration| declaration.name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        assert!(
            names.iter().all(|name| TABLE.contains(name) || EXTRAS.contains(name)),
            "{names:?}"
        );
        assert_eq!(registry().built().count() + registry().planned().count(), TABLE.len());
        assert!(!registry().is_planned("list_methods") && !registry().is_planned("no_such"));
    }

    #[test]
    fn every_command_can_be_documented() {
        for declaration in registry().all() {
            assert!(
                !declaration.summary.is_empty(),
                "{} has no doc comment",
                declaration.name
            );
            for param in declaration.params.iter() {
                assert!(
                    !param.description.is_empty(),
                    "{}.{} has no doc comment",
                    declaration.name,
                    param.name
                );
            }
            assert_eq!(
                declaration.output_schema["type"], "object",
                "{} must answer an object",
                declaration.name
            );
        }
    }
}
