//! The domain `SystemInfo`: the browser's processes. Root session only.

protocol! {
    domain "SystemInfo";

    command GetProcessInfo = "getProcessInfo" {} -> GetProcessInfoReply { process_info: Vec<ProcessInfo> }
    /// `cpu_time` in seconds.
    object ProcessInfo { r#type: String, id: i64, cpu_time: f64 }
}
