//! `list_methods`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Declaration, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::planned::TABLE;
use crate::return_state::CHOICES;
use crate::text;

/// Lists the methods in table order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListMethods {
    /// Only names that contain this text, in any case.
    pub filter: Option<String>,
}

/// Reply of `list_methods`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Methods {
    methods: Vec<&'static str>,
    count: usize,
    /// Methods of the whole table, planned ones included.
    total: usize,
    filter: Option<String>,
    /// Methods outside the table.
    extras: Vec<&'static str>,
    /// Methods of the table that this build does not have yet.
    planned: Vec<&'static str>,
    /// What every listed action on a page takes besides its own parameters.
    note: Option<String>,
}

impl Command for ListMethods {
    const NAME: &'static str = "list_methods";
    const GROUP: Group = Group::Introspection;
    const CLASS: Class = Class::Admin;
    const FLAGS: Flags = Flags::SERVICE.resend_safe();
    type Output = Methods;

    async fn run(self, cx: &mut Context) -> Result<Methods, Failure> {
        let wanted = self.filter.as_deref().unwrap_or_default().to_lowercase();
        let fits = |name: &&'static str| name.contains(&wanted);
        let registry = cx.service().registry();
        let methods: Vec<_> = registry.built().filter(fits).collect();
        let acting = methods
            .iter()
            .filter_map(|name| registry.get(name))
            .any(Declaration::returns_state);
        Ok(Methods {
            count: methods.len(),
            methods,
            total: TABLE.len(),
            extras: registry.extras().filter(fits).collect(),
            planned: registry.planned().filter(fits).collect(),
            filter: self.filter,
            note: acting.then(|| cx.say(&text!("params.return_state", choices = CHOICES.join(", ")))),
        })
    }
}
