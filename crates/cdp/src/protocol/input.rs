//! The domain `Input`: real mouse, keyboard, touch and drag input. Coordinates are CSS pixels of the page's viewport.

use super::Empty;

protocol! {
    domain "Input";

    /// `type` is `mousePressed`, `mouseReleased`, `mouseMoved` or `mouseWheel`; `button` is `none`, `left`, `middle`,
    /// `right`, `back` or `forward`; `buttons` and `modifiers` are bit sets (Alt 1, Control 2, Meta 4, Shift 8).
    command DispatchMouseEvent = "dispatchMouseEvent" {
        r#type: String,
        x: f64,
        y: f64,
        modifiers: Option<i64>,
        /// Seconds since 1970.
        timestamp: Option<f64>,
        button: Option<String>,
        buttons: Option<i64>,
        click_count: Option<i64>,
        force: Option<f64>,
        delta_x: Option<f64>,
        delta_y: Option<f64>,
        pointer_type: Option<String>,
    } -> Empty
    /// `type` is `keyDown`, `keyUp`, `rawKeyDown` or `char`.
    command DispatchKeyEvent = "dispatchKeyEvent" {
        r#type: String,
        modifiers: Option<i64>,
        timestamp: Option<f64>,
        text: Option<String>,
        unmodified_text: Option<String>,
        key_identifier: Option<String>,
        code: Option<String>,
        key: Option<String>,
        windows_virtual_key_code: Option<i64>,
        native_virtual_key_code: Option<i64>,
        auto_repeat: Option<bool>,
        is_keypad: Option<bool>,
        is_system_key: Option<bool>,
        location: Option<i64>,
        /// Editing commands to run with the key, such as `selectAll`.
        commands: Option<Vec<String>>,
    } -> Empty
    command InsertText = "insertText" { text: String } -> Empty
    command ImeSetComposition = "imeSetComposition" {
        text: String,
        selection_start: i64,
        selection_end: i64,
        replacement_start: Option<i64>,
        replacement_end: Option<i64>,
    } -> Empty
    /// `type` is `touchStart`, `touchEnd`, `touchMove` or `touchCancel`.
    command DispatchTouchEvent = "dispatchTouchEvent" {
        r#type: String,
        touch_points: Vec<TouchPoint>,
        modifiers: Option<i64>,
        timestamp: Option<f64>,
    } -> Empty
    object TouchPoint {
        x: f64,
        y: f64,
        radius_x: Option<f64>,
        radius_y: Option<f64>,
        force: Option<f64>,
        id: Option<f64>,
    }
    command SetIgnoreInputEvents = "setIgnoreInputEvents" { ignore: bool } -> Empty

    command SetInterceptDrags = "setInterceptDrags" { enabled: bool } -> Empty
    event DragIntercepted = "dragIntercepted" { data: DragData }
    /// `type` is `dragEnter`, `dragOver`, `drop` or `dragCancel`.
    command DispatchDragEvent = "dispatchDragEvent" {
        r#type: String,
        x: f64,
        y: f64,
        data: DragData,
        modifiers: Option<i64>,
    } -> Empty
    object DragData {
        items: Vec<DragDataItem>,
        files: Option<Vec<String>>,
        /// Bits: copy 1, link 2, move 16.
        drag_operations_mask: i64,
    }
    object DragDataItem {
        mime_type: String,
        data: String,
        title: Option<String>,
        base_url = "baseURL": Option<String>,
    }
}
