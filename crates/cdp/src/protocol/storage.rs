//! The domain `Storage`: cookies of a whole browser context, and the data of an origin.

use super::Empty;
use super::network::{Cookie, CookieParam};

protocol! {
    domain "Storage";

    command GetCookies = "getCookies" { browser_context_id: Option<String> } -> GetCookiesReply {
        cookies: Vec<Cookie>,
    }
    command SetCookies = "setCookies" { cookies: Vec<CookieParam>, browser_context_id: Option<String> } -> Empty
    command ClearCookies = "clearCookies" { browser_context_id: Option<String> } -> Empty
    /// `storage_types` are joined by commas, such as `cookies,local_storage`, or `all`.
    command ClearDataForOrigin = "clearDataForOrigin" { origin: String, storage_types: String } -> Empty
}
