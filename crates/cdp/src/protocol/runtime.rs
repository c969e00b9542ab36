//! The domain `Runtime`: running JavaScript, the objects that it returns, execution contexts and the console.

use super::Empty;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

protocol! {
    domain "Runtime";

    command Enable = "enable" {} -> Empty
    command Disable = "disable" {} -> Empty
    command Evaluate = "evaluate" {
        expression: String,
        object_group: Option<String>,
        include_command_line_api = "includeCommandLineAPI": Option<bool>,
        silent: Option<bool>,
        context_id: Option<i64>,
        return_by_value: Option<bool>,
        user_gesture: Option<bool>,
        await_promise: Option<bool>,
        /// In milliseconds.
        timeout: Option<f64>,
        repl_mode: Option<bool>,
        allow_unsafe_eval_blocked_by_csp = "allowUnsafeEvalBlockedByCSP": Option<bool>,
        unique_context_id: Option<String>,
    } -> EvaluateReply { result: RemoteObject, exception_details: Option<ExceptionDetails> }
    /// Needs either `object_id`, whose context is used, or a context.
    command CallFunctionOn = "callFunctionOn" {
        function_declaration: String,
        object_id: Option<String>,
        arguments: Option<Vec<CallArgument>>,
        silent: Option<bool>,
        return_by_value: Option<bool>,
        user_gesture: Option<bool>,
        await_promise: Option<bool>,
        execution_context_id: Option<i64>,
        object_group: Option<String>,
        throw_on_side_effect: Option<bool>,
        unique_context_id: Option<String>,
    } -> CallFunctionOnReply { result: RemoteObject, exception_details: Option<ExceptionDetails> }
    /// At most one member; none stands for `undefined`.
    object CallArgument {
        value: Option<Box<RawValue>>,
        unserializable_value: Option<String>,
        object_id: Option<String>,
    }
    command RunIfWaitingForDebugger = "runIfWaitingForDebugger" {} -> Empty
    command TerminateExecution = "terminateExecution" {} -> Empty
    command ReleaseObject = "releaseObject" { object_id: String } -> Empty
    command ReleaseObjectGroup = "releaseObjectGroup" { object_group: String } -> Empty
    command AddBinding = "addBinding" { name: String, execution_context_name: Option<String> } -> Empty
    command RemoveBinding = "removeBinding" { name: String } -> Empty
    /// In bytes.
    command GetHeapUsage = "getHeapUsage" {} -> GetHeapUsageReply {
        used_size: f64,
        total_size: f64,
        embedder_heap_used_size: f64,
        backing_storage_size: f64,
    }
    command GetProperties = "getProperties" {
        object_id: String,
        own_properties: Option<bool>,
        accessor_properties_only: Option<bool>,
        non_indexed_properties_only: Option<bool>,
    } -> GetPropertiesReply {
        result: Vec<PropertyDescriptor>,
        internal_properties: Option<Vec<InternalPropertyDescriptor>>,
        exception_details: Option<ExceptionDetails>,
    }
    object PropertyDescriptor {
        name: String,
        value: Option<RemoteObject>,
        writable: Option<bool>,
        get: Option<RemoteObject>,
        set: Option<RemoteObject>,
        configurable: bool,
        enumerable: bool,
        is_own: Option<bool>,
        symbol: Option<RemoteObject>,
    }
    object InternalPropertyDescriptor { name: String, value: Option<RemoteObject> }

    /// `value` is `None` for `null` as well as for `undefined`: `subtype` and `type` tell which.
    object RemoteObject {
        r#type: String,
        subtype: Option<String>,
        class_name: Option<String>,
        value: Option<Box<RawValue>>,
        /// `-0`, `NaN`, `Infinity`, `-Infinity`, or a bigint with its `n`.
        unserializable_value: Option<String>,
        description: Option<String>,
        object_id: Option<String>,
        preview: Option<Box<RawValue>>,
    }
    /// Line and column count from 0.
    object ExceptionDetails {
        exception_id: i64,
        text: String,
        line_number: i64,
        column_number: i64,
        script_id: Option<String>,
        url: Option<String>,
        stack_trace: Option<StackTrace>,
        exception: Option<RemoteObject>,
        execution_context_id: Option<i64>,
    }
    object StackTrace {
        description: Option<String>,
        call_frames: Vec<CallFrame>,
        parent: Option<Box<StackTrace>>,
    }
    /// Line and column count from 0.
    object CallFrame {
        function_name: String,
        script_id: String,
        url: String,
        line_number: i64,
        column_number: i64,
    }

    event ConsoleApiCalled = "consoleAPICalled" {
        r#type: String,
        args: Vec<RemoteObject>,
        execution_context_id: i64,
        /// Milliseconds since 1970.
        timestamp: f64,
        stack_trace: Option<StackTrace>,
        context: Option<String>,
    }
    event ExceptionThrown = "exceptionThrown" { timestamp: f64, exception_details: ExceptionDetails }
    event ExecutionContextCreated = "executionContextCreated" { context: ExecutionContextDescription }
    event ExecutionContextDestroyed = "executionContextDestroyed" {
        execution_context_id: i64,
        execution_context_unique_id: String,
    }
    event ExecutionContextsCleared = "executionContextsCleared" {}
    event BindingCalled = "bindingCalled" { name: String, payload: String, execution_context_id: i64 }
    object ExecutionContextDescription {
        id: i64,
        origin: String,
        name: String,
        unique_id: String,
        /// Of a page: `{isDefault, type, frameId}`.
        aux_data: Option<serde_json::Value>,
    }
}

impl CallArgument {
    /// A value that is sent as JSON. Fails when it cannot be written as such.
    pub fn value(value: &(impl Serialize + ?Sized)) -> serde_json::Result<Self> {
        Ok(Self {
            value: Some(to_raw_value(value)?),
            ..Self::default()
        })
    }

    /// An object that lives in the page, of the same context as the call.
    pub fn object(object_id: impl Into<String>) -> Self {
        Self {
            object_id: Some(object_id.into()),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_an_argument_and_undefined_is_none() {
        let json = |argument: &CallArgument| serde_json::to_string(argument).unwrap();
        assert_eq!(json(&CallArgument::value(&()).unwrap()), r#"{"value":null}"#);
        assert_eq!(json(&CallArgument::default()), "{}");
        assert_eq!(json(&CallArgument::object("1.2.3")), r#"{"objectId":"1.2.3"}"#);
    }

    #[test]
    fn a_value_stays_as_it_was_written() {
        let reply: EvaluateReply =
            serde_json::from_str(r#"{"result":{"type":"object","value":{"b":1.50,"a":[]}}}"#).unwrap();
        assert_eq!(reply.result.value.unwrap().get(), r#"{"b":1.50,"a":[]}"#);
    }
}
