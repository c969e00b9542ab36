//! The domain `DOMDebugger`: which listeners an object has.

use super::runtime::RemoteObject;

protocol! {
    domain "DOMDebugger";

    command GetEventListeners = "getEventListeners" {
        object_id: String,
        depth: Option<i64>,
        pierce: Option<bool>,
    } -> GetEventListenersReply { listeners: Vec<EventListener> }
    object EventListener {
        r#type: String,
        use_capture: bool,
        passive: bool,
        once: bool,
        script_id: String,
        line_number: i64,
        column_number: i64,
        handler: Option<RemoteObject>,
        backend_node_id: Option<i64>,
    }
}
