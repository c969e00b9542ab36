//! The domain `Page`: frames, navigation, scripts for new documents, dialogs, capture.

use super::Empty;
use super::dom::Rect;
use super::runtime::StackTrace;

protocol! {
    domain "Page";

    command Enable = "enable" {} -> Empty
    command SetLifecycleEventsEnabled = "setLifecycleEventsEnabled" { enabled: bool } -> Empty
    command SetBypassCsp = "setBypassCSP" { enabled: bool } -> Empty
    command BringToFront = "bringToFront" {} -> Empty
    command Close = "close" {} -> Empty
    command Crash = "crash" {} -> Empty

    command GetFrameTree = "getFrameTree" {} -> GetFrameTreeReply { frame_tree: FrameTree }
    object FrameTree { frame: Frame, child_frames: Option<Vec<FrameTree>> }
    object Frame {
        id: String,
        parent_id: Option<String>,
        loader_id: String,
        name: Option<String>,
        url: String,
        url_fragment: Option<String>,
        domain_and_registry: String,
        security_origin: String,
        mime_type: String,
        unreachable_url: Option<String>,
        secure_context_type: String,
    }

    command Navigate = "navigate" {
        url: String,
        referrer: Option<String>,
        transition_type: Option<String>,
        frame_id: Option<String>,
        referrer_policy: Option<String>,
    } -> NavigateReply {
        frame_id: String,
        /// Absent when the navigation stays within the document.
        loader_id: Option<String>,
        error_text: Option<String>,
        is_download: Option<bool>,
    }
    command Reload = "reload" {
        ignore_cache: Option<bool>,
        script_to_evaluate_on_load: Option<String>,
        loader_id: Option<String>,
    } -> Empty
    command StopLoading = "stopLoading" {} -> Empty
    command GetNavigationHistory = "getNavigationHistory" {} -> GetNavigationHistoryReply {
        current_index: i64,
        entries: Vec<NavigationEntry>,
    }
    object NavigationEntry {
        id: i64,
        url: String,
        user_typed_url = "userTypedURL": String,
        title: String,
        transition_type: String,
    }
    command NavigateToHistoryEntry = "navigateToHistoryEntry" { entry_id: i64 } -> Empty
    command SetDocumentContent = "setDocumentContent" { frame_id: String, html: String } -> Empty

    command CreateIsolatedWorld = "createIsolatedWorld" {
        frame_id: String,
        world_name: Option<String>,
        /// The protocol spells it so.
        grant_univeral_access: Option<bool>,
    } -> CreateIsolatedWorldReply { execution_context_id: i64 }
    command AddScriptToEvaluateOnNewDocument = "addScriptToEvaluateOnNewDocument" {
        source: String,
        world_name: Option<String>,
        include_command_line_api = "includeCommandLineAPI": Option<bool>,
        run_immediately: Option<bool>,
    } -> AddScriptToEvaluateOnNewDocumentReply { identifier: String }
    command RemoveScriptToEvaluateOnNewDocument = "removeScriptToEvaluateOnNewDocument" {
        identifier: String,
    } -> Empty

    command HandleJavaScriptDialog = "handleJavaScriptDialog" { accept: bool, prompt_text: Option<String> } -> Empty
    command SetInterceptFileChooserDialog = "setInterceptFileChooserDialog" {
        enabled: bool,
        cancel: Option<bool>,
    } -> Empty

    /// `format` is `png`, `jpeg` or `webp`; `quality` is 0 to 100, not for `png`.
    command CaptureScreenshot = "captureScreenshot" {
        format: Option<String>,
        quality: Option<i64>,
        clip: Option<Viewport>,
        from_surface: Option<bool>,
        capture_beyond_viewport: Option<bool>,
        optimize_for_speed: Option<bool>,
    } -> CaptureScreenshotReply {
        /// Base64.
        data: String,
    }
    /// In CSS pixels of the page; `scale` multiplies the size of the image.
    object Viewport { x: f64, y: f64, width: f64, height: f64, scale: f64 }
    /// Only the members beginning with `css_` are in CSS pixels.
    command GetLayoutMetrics = "getLayoutMetrics" {} -> GetLayoutMetricsReply {
        layout_viewport: LayoutViewport,
        visual_viewport: VisualViewport,
        content_size: Rect,
        css_layout_viewport: LayoutViewport,
        css_visual_viewport: VisualViewport,
        css_content_size: Rect,
    }
    object LayoutViewport { page_x: i64, page_y: i64, client_width: i64, client_height: i64 }
    object VisualViewport {
        offset_x: f64,
        offset_y: f64,
        page_x: f64,
        page_y: f64,
        client_width: f64,
        client_height: f64,
        scale: f64,
        zoom: Option<f64>,
    }
    /// Sizes and margins in inches. `transfer_mode` is `ReturnAsBase64` or `ReturnAsStream`.
    command PrintToPdf = "printToPDF" {
        landscape: Option<bool>,
        display_header_footer: Option<bool>,
        print_background: Option<bool>,
        scale: Option<f64>,
        paper_width: Option<f64>,
        paper_height: Option<f64>,
        margin_top: Option<f64>,
        margin_bottom: Option<f64>,
        margin_left: Option<f64>,
        margin_right: Option<f64>,
        page_ranges: Option<String>,
        header_template: Option<String>,
        footer_template: Option<String>,
        prefer_css_page_size = "preferCSSPageSize": Option<bool>,
        transfer_mode: Option<String>,
        generate_tagged_pdf = "generateTaggedPDF": Option<bool>,
        generate_document_outline: Option<bool>,
    } -> PrintToPdfReply {
        /// Base64; empty when a stream is returned.
        data: String,
        stream: Option<String>,
    }

    event FrameAttached = "frameAttached" { frame_id: String, parent_frame_id: String, stack: Option<StackTrace> }
    /// `reason` is `remove`, or `swap` when the frame goes on in another process.
    event FrameDetached = "frameDetached" { frame_id: String, reason: String }
    /// `type` is `Navigation` or `BackForwardCacheRestore`.
    event FrameNavigated = "frameNavigated" { frame: Frame, r#type: String }
    event NavigatedWithinDocument = "navigatedWithinDocument" {
        frame_id: String,
        url: String,
        navigation_type: String,
    }
    event FrameStartedNavigating = "frameStartedNavigating" {
        frame_id: String,
        url: String,
        loader_id: String,
        navigation_type: String,
    }
    event FrameRequestedNavigation = "frameRequestedNavigation" {
        frame_id: String,
        reason: String,
        url: String,
        disposition: String,
    }
    event FrameStartedLoading = "frameStartedLoading" { frame_id: String }
    event FrameStoppedLoading = "frameStoppedLoading" { frame_id: String }
    event LifecycleEvent = "lifecycleEvent" { frame_id: String, loader_id: String, name: String, timestamp: f64 }
    event DomContentEventFired = "domContentEventFired" { timestamp: f64 }
    event LoadEventFired = "loadEventFired" { timestamp: f64 }
    /// `type` is `alert`, `confirm`, `prompt` or `beforeunload`.
    event JavascriptDialogOpening = "javascriptDialogOpening" {
        url: String,
        frame_id: String,
        message: String,
        r#type: String,
        has_browser_handler: bool,
        default_prompt: Option<String>,
    }
    event JavascriptDialogClosed = "javascriptDialogClosed" { frame_id: String, result: bool, user_input: String }
    event WindowOpen = "windowOpen" {
        url: String,
        window_name: String,
        window_features: Vec<String>,
        user_gesture: bool,
    }
    /// `mode` is `selectSingle` or `selectMultiple`.
    event FileChooserOpened = "fileChooserOpened" { frame_id: String, mode: String, backend_node_id: Option<i64> }
}
