//! The domain `Fetch`: stopping requests to change, answer or refuse them. Every [`RequestPaused`] needs a reaction, or
//! the page waits for ever; the reader therefore never drops it.

use super::Empty;
use super::network::Request;

protocol! {
    domain "Fetch";

    command Enable = "enable" {
        patterns: Option<Vec<RequestPattern>>,
        handle_auth_requests: Option<bool>,
    } -> Empty
    command Disable = "disable" {} -> Empty
    /// `*` and `?` are wildcards, `\` escapes. `request_stage` is `Request` or `Response`.
    object RequestPattern {
        url_pattern: Option<String>,
        resource_type: Option<String>,
        request_stage: Option<String>,
    }
    command ContinueRequest = "continueRequest" {
        request_id: String,
        url: Option<String>,
        method: Option<String>,
        /// Base64.
        post_data: Option<String>,
        headers: Option<Vec<HeaderEntry>>,
        intercept_response: Option<bool>,
    } -> Empty
    /// `error_reason` is one of `Network.ErrorReason`, such as `BlockedByClient`.
    command FailRequest = "failRequest" { request_id: String, error_reason: String } -> Empty
    command FulfillRequest = "fulfillRequest" {
        request_id: String,
        response_code: i64,
        response_headers: Option<Vec<HeaderEntry>>,
        /// Base64.
        body: Option<String>,
        response_phrase: Option<String>,
    } -> Empty
    command ContinueResponse = "continueResponse" {
        request_id: String,
        response_code: Option<i64>,
        response_phrase: Option<String>,
        response_headers: Option<Vec<HeaderEntry>>,
    } -> Empty
    command GetResponseBody = "getResponseBody" { request_id: String } -> GetResponseBodyReply {
        body: String,
        base64_encoded = "base64Encoded": bool,
    }
    command ContinueWithAuth = "continueWithAuth" {
        request_id: String,
        auth_challenge_response: AuthChallengeResponse,
    } -> Empty
    /// `response` is `Default`, `CancelAuth` or `ProvideCredentials`.
    object AuthChallengeResponse { response: String, username: Option<String>, password: Option<String> }
    object HeaderEntry { name: String, value: String }

    event RequestPaused = "requestPaused" {
        request_id: String,
        request: Request,
        frame_id: String,
        resource_type: String,
        response_error_reason: Option<String>,
        response_status_code: Option<i64>,
        response_status_text: Option<String>,
        response_headers: Option<Vec<HeaderEntry>>,
        /// The id that the domain `Network` uses for the same request.
        network_id: Option<String>,
        redirected_request_id: Option<String>,
    }
    event AuthRequired = "authRequired" {
        request_id: String,
        request: Request,
        frame_id: String,
        resource_type: String,
        auth_challenge: AuthChallenge,
    }
    /// `source` is `Server` or `Proxy`.
    object AuthChallenge { source: Option<String>, origin: String, scheme: String, realm: String }
}
