//! The domain `Target`: finding, making, attaching to and closing targets (pages, frames of other processes, workers)
//! and browser contexts. [`AttachedToTarget`] and [`DetachedFromTarget`] are also read by the connection itself.

use super::Empty;

protocol! {
    domain "Target";

    /// Applies to the targets below the session that it is sent on, not deeper: send it on every session.
    command SetAutoAttach = "setAutoAttach" {
        auto_attach: bool,
        wait_for_debugger_on_start: bool,
        /// Must be `Some(true)`: this client knows flat sessions only.
        flatten: Option<bool>,
        filter: Option<Vec<FilterEntry>>,
    } -> Empty
    command SetDiscoverTargets = "setDiscoverTargets" { discover: bool, filter: Option<Vec<FilterEntry>> } -> Empty
    /// The first entry that matches decides; without a type it matches everything.
    object FilterEntry { exclude: Option<bool>, r#type: Option<String> }

    command CreateTarget = "createTarget" {
        url: String,
        left: Option<i64>,
        top: Option<i64>,
        width: Option<i64>,
        height: Option<i64>,
        window_state: Option<String>,
        browser_context_id: Option<String>,
        new_window: Option<bool>,
        background: Option<bool>,
        for_tab: Option<bool>,
        hidden: Option<bool>,
        focus: Option<bool>,
    } -> CreateTargetReply { target_id: String }
    command CloseTarget = "closeTarget" { target_id: String } -> CloseTargetReply { success: bool }
    command ActivateTarget = "activateTarget" { target_id: String } -> Empty
    command GetTargets = "getTargets" { filter: Option<Vec<FilterEntry>> } -> GetTargetsReply {
        target_infos: Vec<TargetInfo>,
    }
    command GetTargetInfo = "getTargetInfo" { target_id: Option<String> } -> GetTargetInfoReply {
        target_info: TargetInfo,
    }
    command AttachToTarget = "attachToTarget" {
        target_id: String,
        /// Must be `Some(true)`: this client knows flat sessions only.
        flatten: Option<bool>,
    } -> AttachToTargetReply { session_id: String }
    command DetachFromTarget = "detachFromTarget" { session_id: Option<String> } -> Empty

    command CreateBrowserContext = "createBrowserContext" {
        dispose_on_detach: Option<bool>,
        proxy_server: Option<String>,
        proxy_bypass_list: Option<String>,
    } -> CreateBrowserContextReply { browser_context_id: String }
    command DisposeBrowserContext = "disposeBrowserContext" { browser_context_id: String } -> Empty
    command GetBrowserContexts = "getBrowserContexts" {} -> GetBrowserContextsReply {
        browser_context_ids: Vec<String>,
        default_browser_context_id: Option<String>,
    }

    event AttachedToTarget = "attachedToTarget" {
        session_id: String,
        target_info: TargetInfo,
        waiting_for_debugger: bool,
    }
    event DetachedFromTarget = "detachedFromTarget" { session_id: String, target_id: Option<String> }
    event TargetCreated = "targetCreated" { target_info: TargetInfo }
    event TargetInfoChanged = "targetInfoChanged" { target_info: TargetInfo }
    event TargetDestroyed = "targetDestroyed" { target_id: String }
    event TargetCrashed = "targetCrashed" { target_id: String, status: String, error_code: i64 }

    /// `type` is `page`, `iframe`, `worker`, `shared_worker`, `service_worker`, `browser`, `tab`, `webview` or other.
    object TargetInfo {
        target_id: String,
        r#type: String,
        title: String,
        url: String,
        attached: bool,
        parent_id: Option<String>,
        opener_id: Option<String>,
        can_access_opener: bool,
        opener_frame_id: Option<String>,
        parent_frame_id: Option<String>,
        browser_context_id: Option<String>,
        subtype: Option<String>,
    }
}
