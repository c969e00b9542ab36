//! The domain `DOM`: nodes by id, where they are, and files for file inputs. Its events are dropped by the reader.

use super::Empty;
use super::runtime::RemoteObject;

/// Four corners, clockwise from the upper left: `[x1, y1, x2, y2, x3, y3, x4, y4]`, in CSS pixels.
pub type Quad = Vec<f64>;

protocol! {
    domain "DOM";

    command Enable = "enable" {} -> Empty
    command Disable = "disable" {} -> Empty
    /// `depth` -1 is the whole tree; `pierce` goes into frames and shadow roots, closed ones included.
    command GetDocument = "getDocument" { depth: Option<i64>, pierce: Option<bool> } -> GetDocumentReply { root: Node }
    command DescribeNode = "describeNode" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
        depth: Option<i64>,
        pierce: Option<bool>,
    } -> DescribeNodeReply { node: Node }
    command ResolveNode = "resolveNode" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_group: Option<String>,
        execution_context_id: Option<i64>,
    } -> ResolveNodeReply { object: RemoteObject }
    command RequestNode = "requestNode" { object_id: String } -> RequestNodeReply { node_id: i64 }
    command GetFrameOwner = "getFrameOwner" { frame_id: String } -> GetFrameOwnerReply {
        backend_node_id: i64,
        node_id: Option<i64>,
    }
    command GetNodeForLocation = "getNodeForLocation" {
        x: i64,
        y: i64,
        include_user_agent_shadow_dom = "includeUserAgentShadowDOM": Option<bool>,
        ignore_pointer_events_none: Option<bool>,
    } -> GetNodeForLocationReply { backend_node_id: i64, frame_id: String, node_id: Option<i64> }

    command SetFileInputFiles = "setFileInputFiles" {
        files: Vec<String>,
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
    } -> Empty
    command Focus = "focus" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
    } -> Empty
    command ScrollIntoViewIfNeeded = "scrollIntoViewIfNeeded" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
        rect: Option<Rect>,
    } -> Empty
    command GetContentQuads = "getContentQuads" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
    } -> GetContentQuadsReply { quads: Vec<Quad> }
    command GetBoxModel = "getBoxModel" {
        node_id: Option<i64>,
        backend_node_id: Option<i64>,
        object_id: Option<String>,
    } -> GetBoxModelReply { model: BoxModel }
    object BoxModel {
        content: Quad,
        padding: Quad,
        border: Quad,
        margin: Quad,
        width: i64,
        height: i64,
    }
    object Rect { x: f64, y: f64, width: f64, height: f64 }
    object Rgba = "RGBA" { r: i64, g: i64, b: i64, a: Option<f64> }

    object Node {
        node_id: i64,
        parent_id: Option<i64>,
        backend_node_id: i64,
        /// As in the DOM standard: 1 element, 3 text, 9 document, 11 fragment (a shadow root).
        node_type: i64,
        node_name: String,
        local_name: String,
        node_value: String,
        child_node_count: Option<i64>,
        children: Option<Vec<Node>>,
        /// Names and values in turn.
        attributes: Option<Vec<String>>,
        document_url = "documentURL": Option<String>,
        base_url = "baseURL": Option<String>,
        /// `user-agent`, `open` or `closed`.
        shadow_root_type: Option<String>,
        frame_id: Option<String>,
        content_document: Option<Box<Node>>,
        shadow_roots: Option<Vec<Node>>,
        template_content: Option<Box<Node>>,
    }
}
