//! Where a declaration differs from the contract on purpose.

const BY_ACTION_KEY: &str =
    "the default is the configuration key browser.action.timeoutMs, so the declaration fixes none";
const BY_OTHER_KEY: &str = "the default is a configuration key (browser.eval.timeoutMs, browser.capture.timeoutMs)";
const SNAPSHOT_ID: &str = "the design adds snapshotId to index commands: an index of another document is refused";
const PROFILES_LATER: &str = "named profiles and user data directories are not built yet";
const STATE_LATER: &str = "this option of reading a page is not built yet";

/// `method path` and the reason.
pub const DIFFERENCES: &[(&str, &str)] = &[
    (
        "start headless.default",
        "absent accepts the running browser; only a new one means true",
    ),
    ("start profile", PROFILES_LATER),
    ("start profileDirectory", PROFILES_LATER),
    ("start userDataDir", PROFILES_LATER),
    ("get_browser_state highlight", STATE_LATER),
    ("get_browser_state includeFrames", STATE_LATER),
    ("get_browser_state strictSnapshot", STATE_LATER),
    (
        "get_browser_state maxChars",
        "the design lets the caller govern the size of the text",
    ),
    (
        "get_browser_state stateDetail",
        "the design prints facts that a tag implies only on demand",
    ),
    ("click_element_by_index snapshotId", SNAPSHOT_ID),
    ("click_element_by_index timeoutMs.default", BY_ACTION_KEY),
    ("input_text snapshotId", SNAPSHOT_ID),
    ("type_text snapshotId", SNAPSHOT_ID),
    ("click_element_by_selector timeoutMs.default", BY_ACTION_KEY),
    (
        "wait_for_text frame",
        "waiting inside a frame is as needed for texts as for elements",
    ),
    ("screenshot timeoutMs.default", BY_OTHER_KEY),
    ("execute_js timeoutMs.default", BY_OTHER_KEY),
];
