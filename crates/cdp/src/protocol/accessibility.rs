//! The domain `Accessibility`: the browser's own view of roles and names.

use serde_json::value::RawValue;

protocol! {
    domain "Accessibility";

    /// Looks below the node that is given by one of its ids.
    command QueryAxTree = "queryAXTree" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
        accessible_name: Option<String>,
        role: Option<String>,
    } -> QueryAxTreeReply { nodes: Vec<AxNode> }
    object AxNode = "AXNode" {
        node_id: String,
        ignored: bool,
        role: Option<AxValue>,
        name: Option<AxValue>,
        backend_dom_node_id = "backendDOMNodeId": Option<i64>,
    }
    object AxValue = "AXValue" { r#type: String, value: Option<Box<RawValue>> }
}
