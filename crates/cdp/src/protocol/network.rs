//! The domain `Network`: requests, answers, cookies. Its events count as noisy: over the budget they are dropped and
//! counted. Times are `timestamp`, seconds of a monotonic clock, and `wall_time`, seconds since 1970.

use super::Empty;
use super::runtime::StackTrace;
use std::collections::BTreeMap;

/// Header fields by name, in the spelling that was sent; several values of one name are joined by a line feed.
pub type Headers = BTreeMap<String, String>;

protocol! {
    domain "Network";

    command Enable = "enable" {
        max_total_buffer_size: Option<i64>,
        max_resource_buffer_size: Option<i64>,
        max_post_data_size: Option<i64>,
    } -> Empty
    command Disable = "disable" {} -> Empty
    command SetExtraHttpHeaders = "setExtraHTTPHeaders" { headers: Headers } -> Empty
    command SetCacheDisabled = "setCacheDisabled" { cache_disabled: bool } -> Empty
    command SetBypassServiceWorker = "setBypassServiceWorker" { bypass: bool } -> Empty
    /// `latency` in milliseconds, throughput in bytes a second, -1 for no limit.
    command EmulateNetworkConditions = "emulateNetworkConditions" {
        offline: bool,
        latency: f64,
        download_throughput: f64,
        upload_throughput: f64,
        connection_type: Option<String>,
    } -> Empty
    command GetResponseBody = "getResponseBody" { request_id: String } -> GetResponseBodyReply {
        body: String,
        base64_encoded = "base64Encoded": bool,
    }
    command GetRequestPostData = "getRequestPostData" { request_id: String } -> GetRequestPostDataReply {
        post_data: String,
        base64_encoded = "base64Encoded": bool,
    }

    command LoadNetworkResource = "loadNetworkResource" {
        frame_id: Option<String>,
        url: String,
        options: LoadNetworkResourceOptions,
    } -> LoadNetworkResourceReply { resource: LoadNetworkResourcePageResult }
    object LoadNetworkResourceOptions { disable_cache: bool, include_credentials: bool }
    /// `stream` is read with the domain `IO`.
    object LoadNetworkResourcePageResult {
        success: bool,
        net_error: Option<f64>,
        net_error_name: Option<String>,
        http_status_code: Option<f64>,
        stream: Option<String>,
        headers: Option<Headers>,
    }

    command GetCookies = "getCookies" { urls: Option<Vec<String>> } -> GetCookiesReply { cookies: Vec<Cookie> }
    command SetCookie = "setCookie" {
        name: String,
        value: String,
        url: Option<String>,
        domain: Option<String>,
        path: Option<String>,
        secure: Option<bool>,
        http_only: Option<bool>,
        same_site: Option<String>,
        expires: Option<f64>,
        partition_key: Option<CookiePartitionKey>,
    } -> SetCookieReply { success: bool }
    command SetCookies = "setCookies" { cookies: Vec<CookieParam> } -> Empty
    command DeleteCookies = "deleteCookies" {
        name: String,
        url: Option<String>,
        domain: Option<String>,
        path: Option<String>,
    } -> Empty
    command ClearBrowserCookies = "clearBrowserCookies" {} -> Empty
    command ClearBrowserCache = "clearBrowserCache" {} -> Empty
    object Cookie {
        name: String,
        value: String,
        domain: String,
        path: String,
        /// Seconds since 1970; -1 for a cookie of the browser session.
        expires: f64,
        size: i64,
        http_only: bool,
        secure: bool,
        session: bool,
        /// `Strict`, `Lax` or `None`.
        same_site: Option<String>,
        priority: String,
        source_scheme: String,
        source_port: i64,
        partition_key: Option<CookiePartitionKey>,
        partition_key_opaque: Option<bool>,
    }
    object CookieParam {
        name: String,
        value: String,
        url: Option<String>,
        domain: Option<String>,
        path: Option<String>,
        secure: Option<bool>,
        http_only: Option<bool>,
        same_site: Option<String>,
        expires: Option<f64>,
        priority: Option<String>,
        source_scheme: Option<String>,
        source_port: Option<i64>,
        partition_key: Option<CookiePartitionKey>,
    }
    object CookiePartitionKey { top_level_site: String, has_cross_site_ancestor: bool }

    event RequestWillBeSent = "requestWillBeSent" {
        request_id: String,
        loader_id: String,
        document_url = "documentURL": String,
        request: Request,
        timestamp: f64,
        wall_time: f64,
        initiator: Initiator,
        redirect_has_extra_info: bool,
        /// The answer that redirected here: the same request id goes on.
        redirect_response: Option<Response>,
        r#type: Option<String>,
        frame_id: Option<String>,
        has_user_gesture: Option<bool>,
    }
    event RequestWillBeSentExtraInfo = "requestWillBeSentExtraInfo" { request_id: String, headers: Headers }
    event ResponseReceived = "responseReceived" {
        request_id: String,
        loader_id: String,
        timestamp: f64,
        r#type: String,
        response: Response,
        has_extra_info: bool,
        frame_id: Option<String>,
    }
    /// The headers as they came, `set-cookie` included, and the status before the cache changed it.
    event ResponseReceivedExtraInfo = "responseReceivedExtraInfo" {
        request_id: String,
        headers: Headers,
        status_code: i64,
    }
    event RequestServedFromCache = "requestServedFromCache" { request_id: String }
    event LoadingFinished = "loadingFinished" {
        request_id: String,
        timestamp: f64,
        encoded_data_length: f64,
    }
    event LoadingFailed = "loadingFailed" {
        request_id: String,
        timestamp: f64,
        r#type: String,
        error_text: String,
        canceled: Option<bool>,
        blocked_reason: Option<String>,
        cors_error_status: Option<CorsErrorStatus>,
    }
    object CorsErrorStatus { cors_error: String, failed_parameter: String }
    event WebSocketCreated = "webSocketCreated" { request_id: String, url: String, initiator: Option<Initiator> }
    event WebSocketWillSendHandshakeRequest = "webSocketWillSendHandshakeRequest" {
        request_id: String,
        timestamp: f64,
        wall_time: f64,
        request: WebSocketRequest,
    }
    object WebSocketRequest { headers: Headers }
    event WebSocketHandshakeResponseReceived = "webSocketHandshakeResponseReceived" {
        request_id: String,
        timestamp: f64,
        response: WebSocketResponse,
    }
    object WebSocketResponse { status: i64, status_text: String, headers: Headers }
    event WebSocketFrameError = "webSocketFrameError" {
        request_id: String,
        timestamp: f64,
        error_message: String,
    }
    event WebSocketClosed = "webSocketClosed" { request_id: String, timestamp: f64 }
    event WebSocketFrameReceived = "webSocketFrameReceived" {
        request_id: String,
        timestamp: f64,
        response: WebSocketFrame,
    }
    event WebSocketFrameSent = "webSocketFrameSent" { request_id: String, timestamp: f64, response: WebSocketFrame }
    /// `payload_data` is text when `opcode` is 1, else base64.
    object WebSocketFrame { opcode: f64, mask: bool, payload_data: String }
    event EventSourceMessageReceived = "eventSourceMessageReceived" {
        request_id: String,
        timestamp: f64,
        event_name: String,
        event_id: String,
        data: String,
    }

    object Request {
        url: String,
        url_fragment: Option<String>,
        method: String,
        headers: Headers,
        post_data: Option<String>,
        has_post_data: Option<bool>,
        initial_priority: String,
        referrer_policy: String,
        is_same_site: Option<bool>,
    }
    object Response {
        url: String,
        status: i64,
        status_text: String,
        headers: Headers,
        mime_type: String,
        charset: String,
        request_headers: Option<Headers>,
        connection_reused: bool,
        connection_id: f64,
        remote_ip_address = "remoteIPAddress": Option<String>,
        remote_port: Option<i64>,
        from_disk_cache: Option<bool>,
        from_service_worker: Option<bool>,
        from_prefetch_cache: Option<bool>,
        encoded_data_length: f64,
        response_time: Option<f64>,
        protocol: Option<String>,
        security_state: String,
    }
    object Initiator {
        r#type: String,
        stack: Option<StackTrace>,
        url: Option<String>,
        line_number: Option<f64>,
        column_number: Option<f64>,
        request_id: Option<String>,
    }
}
