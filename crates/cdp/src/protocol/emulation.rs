//! The domain `Emulation`: what the page believes of its device, place, language and focus.

use super::Empty;
use super::dom::Rgba;

protocol! {
    domain "Emulation";

    command SetFocusEmulationEnabled = "setFocusEmulationEnabled" { enabled: bool } -> Empty
    /// In CSS pixels; 0 leaves the width, height or scale factor as it is.
    command SetDeviceMetricsOverride = "setDeviceMetricsOverride" {
        width: i64,
        height: i64,
        device_scale_factor: f64,
        mobile: bool,
        scale: Option<f64>,
        screen_width: Option<i64>,
        screen_height: Option<i64>,
        position_x: Option<i64>,
        position_y: Option<i64>,
        dont_set_visible_size: Option<bool>,
        screen_orientation: Option<ScreenOrientation>,
    } -> Empty
    object ScreenOrientation { r#type: String, angle: i64 }
    command ClearDeviceMetricsOverride = "clearDeviceMetricsOverride" {} -> Empty
    command SetTouchEmulationEnabled = "setTouchEmulationEnabled" {
        enabled: bool,
        max_touch_points: Option<i64>,
    } -> Empty
    command SetEmulatedMedia = "setEmulatedMedia" {
        media: Option<String>,
        features: Option<Vec<MediaFeature>>,
    } -> Empty
    object MediaFeature { name: String, value: String }
    command SetDefaultBackgroundColorOverride = "setDefaultBackgroundColorOverride" { color: Option<Rgba> } -> Empty

    command SetUserAgentOverride = "setUserAgentOverride" {
        user_agent: String,
        accept_language: Option<String>,
        platform: Option<String>,
        user_agent_metadata: Option<UserAgentMetadata>,
    } -> Empty
    object UserAgentMetadata {
        brands: Option<Vec<UserAgentBrandVersion>>,
        full_version_list: Option<Vec<UserAgentBrandVersion>>,
        platform: String,
        platform_version: String,
        architecture: String,
        model: String,
        mobile: bool,
        bitness: Option<String>,
        wow64 = "wow64": Option<bool>,
        form_factors: Option<Vec<String>>,
    }
    object UserAgentBrandVersion { brand: String, version: String }
    command SetLocaleOverride = "setLocaleOverride" { locale: Option<String> } -> Empty
    command SetTimezoneOverride = "setTimezoneOverride" { timezone_id: String } -> Empty
    /// No position at all makes the position unavailable.
    command SetGeolocationOverride = "setGeolocationOverride" {
        latitude: Option<f64>,
        longitude: Option<f64>,
        accuracy: Option<f64>,
    } -> Empty
    command ClearGeolocationOverride = "clearGeolocationOverride" {} -> Empty

    command SetScriptExecutionDisabled = "setScriptExecutionDisabled" { value: bool } -> Empty
    /// 1 is no throttling, 2 is half the speed.
    command SetCpuThrottlingRate = "setCPUThrottlingRate" { rate: f64 } -> Empty
}
