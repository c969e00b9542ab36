//! The one declaration of a command, from which everything else about it is derived.
//!
//! Invariant: nothing outside a command's own file knows its name. Parsing, deadlines, retries, screenshots,
//! catalogues and documents read the [`Declaration`]; adding a command is one file and one line in `commands/mod.rs`.

use std::future::Future;
use std::pin::Pin;

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::params::ParamTable;
use crate::return_state;
use crate::text;

/// What a command does to the world; decides deadlines, resending and admission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Looks at a page or at records.
    Read,
    /// Changes a page, the browser or what the task will do; never acted twice.
    Action,
    /// Waits for a condition; may be cut short by a cancelled job.
    Wait,
    /// Concerns the service itself.
    Admin,
}

impl Class {
    /// The spelling used in catalogues.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::Read => "read",
            Class::Action => "action",
            Class::Wait => "wait",
            Class::Admin => "admin",
        }
    }
}

/// The family of a command, for catalogues and documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the families of the contract, in its order
pub enum Group {
    Lifecycle,
    Navigation,
    PageState,
    ElementInteraction,
    ElementReading,
    SelectorText,
    Tabs,
    Wait,
    Mouse,
    ScreenshotPdf,
    CookieStorage,
    ContextSettings,
    DialogsModals,
    Console,
    Network,
    PageReading,
    Script,
    Introspection,
    Recipes,
    Jobs,
    Human,
    Ocr,
    Batch,
}

impl Group {
    /// The spelling used in catalogues.
    pub const fn as_str(self) -> &'static str {
        match self {
            Group::Lifecycle => "lifecycle",
            Group::Navigation => "navigation",
            Group::PageState => "page-state",
            Group::ElementInteraction => "element-interaction",
            Group::ElementReading => "element-reading",
            Group::SelectorText => "selector-text",
            Group::Tabs => "tabs",
            Group::Wait => "wait",
            Group::Mouse => "mouse",
            Group::ScreenshotPdf => "screenshot-pdf",
            Group::CookieStorage => "cookie-storage",
            Group::ContextSettings => "context-settings",
            Group::DialogsModals => "dialogs-modals",
            Group::Console => "console",
            Group::Network => "network",
            Group::PageReading => "page-reading",
            Group::Script => "script",
            Group::Introspection => "introspection",
            Group::Recipes => "recipes",
            Group::Jobs => "jobs",
            Group::Human => "human",
            Group::Ocr => "ocr",
            Group::Batch => "batch",
        }
    }
}

/// What the pipeline has to do for a command. Build from [`Flags::TASK`] or [`Flags::SERVICE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags {
    /// The envelope must name an existing task.
    pub needs_task: bool,
    /// Commands of one task that take its turn never overlap.
    pub takes_turn: bool,
    /// One automatic screenshot after success.
    pub capture: bool,
    /// The server may run it again after a transient failure.
    pub resend_safe: bool,
    /// Limited by the hard limit instead of the normal one.
    pub long_running: bool,
    /// May be a step of a batch.
    pub batchable: bool,
    /// Consecutive steps of this kind in a batch share the second look at what they entered.
    pub shares_look: bool,
}

impl Flags {
    /// A command on a task's page: takes the task's turn and may be batched.
    pub const TASK: Flags = Flags {
        needs_task: true,
        takes_turn: true,
        capture: false,
        resend_safe: false,
        long_running: false,
        batchable: true,
        shares_look: false,
    };

    /// A command that needs no task.
    pub const SERVICE: Flags = Flags {
        needs_task: false,
        takes_turn: false,
        ..Flags::TASK
    };

    /// Asks for the automatic screenshot.
    #[must_use]
    pub const fn capture(self) -> Flags {
        Flags { capture: true, ..self }
    }

    /// Lets consecutive steps of a batch share the second look.
    #[must_use]
    pub const fn shares_look(self) -> Flags {
        Flags {
            shares_look: true,
            ..self
        }
    }

    /// Allows the server to run the command again.
    #[must_use]
    pub const fn resend_safe(self) -> Flags {
        Flags {
            resend_safe: true,
            ..self
        }
    }

    /// Puts the command under the hard limit.
    #[must_use]
    pub const fn long_running(self) -> Flags {
        Flags {
            long_running: true,
            ..self
        }
    }

    /// For commands of the control plane: they never queue behind a page of the same task.
    #[must_use]
    pub const fn without_turn(self) -> Flags {
        Flags {
            takes_turn: false,
            ..self
        }
    }

    /// For the batch itself, which never nests.
    #[must_use]
    pub const fn not_batchable(self) -> Flags {
        Flags {
            batchable: false,
            ..self
        }
    }
}

/// A command: the struct holds its parameters, the implementation everything else about it.
///
/// The summary in every catalogue is the struct's doc comment, and the description of a parameter is the doc comment
/// of its field. A field of type `Option<_>` or with `#[serde(default)]` is optional.
pub trait Command: DeserializeOwned + JsonSchema + Send + 'static {
    /// The method name on the wire.
    const NAME: &'static str;
    /// The family.
    const GROUP: Group;
    /// What it does to the world.
    const CLASS: Class;
    /// What the pipeline does for it.
    const FLAGS: Flags;
    /// Members of the reply that come from a page or a stranger and are never edited (null stripping, projection).
    /// A dotted path goes into members; arrays on the way are walked: `"requests.body"`.
    const OPAQUE: &'static [&'static str] = &[];
    /// Members that compact mode leaves out of a successful reply (`projection::CLICK_DIAGNOSTICS` for clicks).
    const COMPACT_OMITS: &'static [&'static str] = &[];
    /// Whether `data.results` holds the replies of other commands, to be projected one by one.
    const HOLDS_STEPS: bool = false;
    /// What a successful reply carries; an object, or nothing.
    type Output: Serialize + JsonSchema;

    /// Rules between parameters. Runs before anything is started, so answer with [`Failure::invalid`].
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Does the work. The future may be dropped at any await when the deadline passes.
    fn run(self, cx: &mut Context) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// The output of a command that has nothing to tell beyond success.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Nothing {}

/// A running command.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Value, Failure>> + Send + 'a>>;

/// A command whose parameters have been accepted.
pub trait Ready: Send {
    /// Starts it.
    fn run(self: Box<Self>, cx: &mut Context) -> Running<'_>;
}

struct Accepted<C>(C);

impl<C: Command> Ready for Accepted<C> {
    fn run(self: Box<Self>, cx: &mut Context) -> Running<'_> {
        Box::pin(async move {
            let output = self.0.run(cx).await?;
            serde_json::to_value(output).map_err(|error| {
                Failure::new(
                    Code::ActionFailed,
                    text!("failure.reply_not_representable", reason = error),
                )
            })
        })
    }
}

/// Turns checked parameters into a command that is ready to run.
pub type Accept = fn(Map<String, Value>) -> Result<Box<dyn Ready>, Failure>;

/// A command with its types erased: what registries, pipelines and catalogues work with.
#[derive(Debug)]
pub struct Declaration {
    /// The method name.
    pub name: &'static str,
    /// The family.
    pub group: Group,
    /// What it does to the world.
    pub class: Class,
    /// What the pipeline does for it.
    pub flags: Flags,
    /// See [`Command::OPAQUE`].
    pub opaque: &'static [&'static str],
    /// See [`Command::COMPACT_OMITS`].
    pub compact_omits: &'static [&'static str],
    /// See [`Command::HOLDS_STEPS`].
    pub holds_steps: bool,
    /// First paragraph of the struct's doc comment.
    pub summary: String,
    /// The parameters, in the order of the fields.
    pub params: ParamTable,
    /// JSON schema (2020-12) of the parameters.
    pub params_schema: Value,
    /// JSON schema (2020-12) of a successful reply's `data`, without what the pipeline adds.
    pub output_schema: Value,
    /// Turns checked parameters into a command that is ready to run; errors touch nothing.
    pub accept: Accept,
}

impl Declaration {
    /// Whether it takes `returnState`.
    pub fn returns_state(&self) -> bool {
        return_state::offered(self.class, self.flags, self.holds_steps)
    }
}

/// Builds the declaration of `C`.
pub fn declaration<C: Command>() -> Declaration {
    let mut params_schema = schema_of::<C>(Contract::Deserialize);
    if return_state::offered(C::CLASS, C::FLAGS, C::HOLDS_STEPS) {
        return_state::declare(&mut params_schema);
    }
    let description = params_schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Declaration {
        name: C::NAME,
        group: C::GROUP,
        class: C::CLASS,
        flags: C::FLAGS,
        opaque: C::OPAQUE,
        compact_omits: C::COMPACT_OMITS,
        holds_steps: C::HOLDS_STEPS,
        summary: first_paragraph(description),
        params: ParamTable::from_schema(&params_schema),
        output_schema: schema_of::<C::Output>(Contract::Serialize),
        params_schema,
        accept: accept::<C>,
    }
}

fn accept<C: Command>(params: Map<String, Value>) -> Result<Box<dyn Ready>, Failure> {
    let command: C = serde_json::from_value(Value::Object(params))
        .map_err(|error| Failure::invalid(text!("params.malformed", reason = error)))?;
    command.check()?;
    Ok(Box::new(Accepted(command)))
}

fn schema_of<T: JsonSchema>(contract: Contract) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.contract = contract;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn first_paragraph(text: &str) -> String {
    text.split("\n\n")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
