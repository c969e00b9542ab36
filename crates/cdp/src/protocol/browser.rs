//! The domain `Browser`: the browser as a whole, its windows, permissions and downloads. Commands of this domain go to
//! the root session.

use super::Empty;

protocol! {
    domain "Browser";

    command GetVersion = "getVersion" {} -> GetVersionReply {
        protocol_version: String,
        product: String,
        revision: String,
        user_agent: String,
        js_version: String,
    }
    command Close = "close" {} -> Empty

    /// `behavior` is `deny`, `allow`, `allowAndName` or `default`.
    command SetDownloadBehavior = "setDownloadBehavior" {
        behavior: String,
        browser_context_id: Option<String>,
        download_path: Option<String>,
        events_enabled: Option<bool>,
    } -> Empty
    command CancelDownload = "cancelDownload" { guid: String, browser_context_id: Option<String> } -> Empty
    event DownloadWillBegin = "downloadWillBegin" {
        frame_id: String,
        guid: String,
        url: String,
        suggested_filename: String,
    }
    /// `state` is `inProgress`, `completed` or `canceled`.
    event DownloadProgress = "downloadProgress" {
        guid: String,
        total_bytes: f64,
        received_bytes: f64,
        state: String,
        file_path: Option<String>,
    }

    command GrantPermissions = "grantPermissions" {
        permissions: Vec<String>,
        origin: Option<String>,
        browser_context_id: Option<String>,
    } -> Empty
    /// `setting` is `granted`, `denied` or `prompt`.
    command SetPermission = "setPermission" {
        permission: PermissionDescriptor,
        setting: String,
        origin: Option<String>,
        browser_context_id: Option<String>,
    } -> Empty
    command ResetPermissions = "resetPermissions" { browser_context_id: Option<String> } -> Empty
    object PermissionDescriptor {
        name: String,
        user_visible_only: Option<bool>,
        allow_without_sanitization: Option<bool>,
    }

    command GetWindowForTarget = "getWindowForTarget" { target_id: Option<String> } -> GetWindowForTargetReply {
        window_id: i64,
        bounds: Bounds,
    }
    command GetWindowBounds = "getWindowBounds" { window_id: i64 } -> GetWindowBoundsReply { bounds: Bounds }
    command SetWindowBounds = "setWindowBounds" { window_id: i64, bounds: Bounds } -> Empty
    /// In device-independent pixels. `window_state` is `normal`, `minimized`, `maximized` or `fullscreen`; anything
    /// but `normal` must not be combined with a position or size.
    object Bounds {
        left: Option<i64>,
        top: Option<i64>,
        width: Option<i64>,
        height: Option<i64>,
        window_state: Option<String>,
    }
}
