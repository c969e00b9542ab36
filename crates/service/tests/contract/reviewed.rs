//! Where a declaration differs from the contract on purpose.

const BY_ACTION_KEY: &str =
    "the default is the configuration key browser.action.timeoutMs, so the declaration fixes none";
const BY_OTHER_KEY: &str = "the default is a configuration key (browser.eval.timeoutMs, browser.capture.timeoutMs)";
const SNAPSHOT_ID: &str = "the design adds snapshotId to index commands: an index of another document is refused";
const BOXES: &str = "boxes are for a person who watches: absent means true only in a browser with a window";
const CALLER_GOVERNS_SIZE: &str = "the design lets the caller govern the size of the text";

const CHOOSE: &str = "a field that suggests is filled by taking the suggestion, not by its text alone";
const OPTION_NAMES: &str = "an option is named by its label, its value or its position, and a list may take several";

const LEFT_OPEN: &str = "a third policy leaves dialogs open for the caller to read and answer";
const DRAG_POINTS: &str = "sliders and canvases are dragged to points, and an element within itself";
const HAR: &str = "what was recorded is kept as a file that other tools read";
const FRAME: &str = "reading inside a frame is as needed here as in the other reading commands";

/// `method path` and the reason.
pub const DIFFERENCES: &[(&str, &str)] = &[
    ("set_dialog_behavior mode", LEFT_OPEN),
    ("set_dialog_behavior answer", LEFT_OPEN),
    ("set_dialog_behavior promptText", LEFT_OPEN),
    ("set_dialog_behavior seq", LEFT_OPEN),
    (
        "start headless.default",
        "absent accepts the running browser; only a new one means true",
    ),
    ("get_browser_state highlight.default", BOXES),
    ("diff_dom_text highlight.default", BOXES),
    ("get_element_listeners snapshotId", SNAPSHOT_ID),
    ("get_browser_state selector", CALLER_GOVERNS_SIZE),
    ("get_browser_state interactiveOnly", CALLER_GOVERNS_SIZE),
    ("get_browser_state mode", CALLER_GOVERNS_SIZE),
    ("get_browser_state collapseRepeats", CALLER_GOVERNS_SIZE),
    ("get_browser_state maxChars", CALLER_GOVERNS_SIZE),
    (
        "get_browser_state stateDetail",
        "the design prints facts that a tag implies only on demand",
    ),
    ("click_element_by_index snapshotId", SNAPSHOT_ID),
    ("click_element_by_index timeoutMs.default", BY_ACTION_KEY),
    ("input_text snapshotId", SNAPSHOT_ID),
    ("input_text choose", CHOOSE),
    ("input_text_by_selector choose", CHOOSE),
    ("input_text_by_label choose", CHOOSE),
    ("type_text snapshotId", SNAPSHOT_ID),
    ("select_dropdown_option snapshotId", SNAPSHOT_ID),
    ("select_dropdown_option text.required", OPTION_NAMES),
    ("select_dropdown_option texts", OPTION_NAMES),
    ("select_dropdown_option value", OPTION_NAMES),
    ("select_dropdown_option optionIndex", OPTION_NAMES),
    (
        "select_dropdown_option deselect",
        "what a list of several has chosen must be possible to take back",
    ),
    ("click_element_by_selector timeoutMs.default", BY_ACTION_KEY),
    (
        "wait_for_text frame",
        "waiting inside a frame is as needed for texts as for elements",
    ),
    (
        "wait_for_element state",
        "pages take things away too: waiting for that is as needed",
    ),
    ("wait_for_function frame", FRAME),
    ("wait_for_idle frame", FRAME),
    ("wait_for_stable frame", FRAME),
    ("wait_for_count frame", FRAME),
    ("get_console_logs since", "a caller that reads again wants what is new"),
    (
        "get_console_logs details",
        "times and levels are wanted only now and then",
    ),
    ("get_dropdown_options snapshotId", SNAPSHOT_ID),
    ("get_element_html snapshotId", SNAPSHOT_ID),
    ("get_element_box snapshotId", SNAPSHOT_ID),
    ("is_visible snapshotId", SNAPSHOT_ID),
    ("is_enabled snapshotId", SNAPSHOT_ID),
    ("is_checked snapshotId", SNAPSHOT_ID),
    ("download_image snapshotId", SNAPSHOT_ID),
    ("get_form_state frame", FRAME),
    ("extract_structured_data frame", FRAME),
    ("screenshot timeoutMs.default", BY_OTHER_KEY),
    ("execute_js timeoutMs.default", BY_OTHER_KEY),
    ("double_click_element_by_index snapshotId", SNAPSHOT_ID),
    ("hover_element_by_index snapshotId", SNAPSHOT_ID),
    ("focus_element_by_index snapshotId", SNAPSHOT_ID),
    ("check_element_by_index snapshotId", SNAPSHOT_ID),
    ("uncheck_element_by_index snapshotId", SNAPSHOT_ID),
    ("scroll snapshotId", SNAPSHOT_ID),
    ("hover_and_click snapshotId", SNAPSHOT_ID),
    ("mouse_click_by_selector timeoutMs.default", BY_ACTION_KEY),
    ("drag_element_by_index snapshotId", SNAPSHOT_ID),
    ("drag_element_by_index sourceX", DRAG_POINTS),
    ("drag_element_by_index sourceY", DRAG_POINTS),
    ("drag_element_by_index targetX", DRAG_POINTS),
    ("drag_element_by_index targetY", DRAG_POINTS),
    ("drag_element_by_index targetIndex.required", DRAG_POINTS),
    (
        "drag_element_by_index timeoutMs",
        "the source may need time to become ready, as in a click",
    ),
    (
        "get_requests includeHeaders",
        "header fields are wanted only now and then",
    ),
    ("get_requests format", HAR),
    ("get_requests path", HAR),
    ("route action.enum", "answers are changed as well as replaced"),
    ("route patch", "answers are changed as well as replaced"),
    ("route delayMs", "slow answers are what pages handle worst"),
    ("upload_file snapshotId", SNAPSHOT_ID),
    ("upload_file timeoutMs.default", BY_ACTION_KEY),
    (
        "upload_file paths",
        "an input that takes several files takes them at once",
    ),
];
