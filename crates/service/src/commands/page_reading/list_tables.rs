//! `list_tables`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::command::{Class, Command, Flags, Group};
use crate::context::Context;
use crate::failure::Failure;
use crate::text;

/// The tables of a page with their sizes and first words; each has a selector that every command accepts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListTables {
    /// Frame by ordinal, or by a part of its address or name; the main frame when absent.
    pub frame: Option<String>,
}

/// Reply of `list_tables`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableList {
    count: usize,
    tables: Vec<TableRecord>,
    /// More tables than are listed.
    truncated: Option<bool>,
    url: String,
    title: String,
    hint: String,
}

/// One table.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TableRecord {
    index: u64,
    selector: String,
    rows: u64,
    cols: u64,
    class_name: String,
    id: String,
    caption: Option<String>,
    visible: bool,
    text_length: u64,
    image_count: u64,
    preview: String,
}

impl From<engine::Table> for TableRecord {
    fn from(table: engine::Table) -> Self {
        Self {
            index: table.index,
            selector: format!("table >> nth={}", table.index),
            rows: table.rows,
            cols: table.cols,
            class_name: table.class_name,
            id: table.id,
            caption: Some(table.caption).filter(|caption| !caption.is_empty()),
            visible: table.visible,
            text_length: table.text_length,
            image_count: table.image_count,
            preview: table.preview,
        }
    }
}

impl Command for ListTables {
    const NAME: &'static str = "list_tables";
    const GROUP: Group = Group::PageReading;
    const CLASS: Class = Class::Read;
    const FLAGS: Flags = Flags::TASK.resend_safe();
    const OPAQUE: &'static [&'static str] = &["title", "tables.preview", "tables.className", "tables.id"];
    type Output = TableList;

    async fn run(self, cx: &mut Context) -> Result<TableList, Failure> {
        let tab = cx.settled_tab().await?;
        let found = tab.tables(self.frame.as_deref(), cx.until()).await;
        let found = found.map_err(|error| Failure::from_engine(&error, false))?;
        let hint = if found.count == 0 {
            text!("reading.no_tables")
        } else {
            text!("reading.tables")
        };
        Ok(TableList {
            count: found.count,
            truncated: (found.count > found.tables.len()).then_some(true),
            tables: found.tables.into_iter().map(TableRecord::from).collect(),
            url: found.url,
            title: found.title,
            hint: cx.say(&hint),
        })
    }
}
