//! The command table: one line a command, in table order.
//!
//! Invariant: this is the only place that lists commands; everything about one stands in its own file.

pub mod batch;
pub mod console;
pub mod dialogs_modals;
pub mod element_interaction;
pub mod element_reading;
pub mod introspection;
pub mod lifecycle;
pub mod mouse;
pub mod navigation;
pub mod network;
pub mod page_reading;
pub mod page_state;
pub mod screenshot_pdf;
pub mod script;
pub mod selector_text;
pub mod tabs;
pub mod wait;
mod ways;

use crate::command::{Declaration, declaration};

/// The declarations of all commands that are built.
pub(crate) fn all() -> Vec<Declaration> {
    acting().into_iter().chain(looking()).collect()
}

/// The first part of the table.
fn acting() -> Vec<Declaration> {
    vec![
        declaration::<lifecycle::Start>(),
        declaration::<lifecycle::Close>(),
        declaration::<lifecycle::Shutdown>(),
        declaration::<navigation::Navigate>(),
        declaration::<navigation::GoToUrl>(),
        declaration::<navigation::GoBack>(),
        declaration::<navigation::GoForward>(),
        declaration::<navigation::Reload>(),
        declaration::<navigation::GetUrl>(),
        declaration::<navigation::GetTitle>(),
        declaration::<page_state::GetBrowserState>(),
        declaration::<page_state::ListFrames>(),
        declaration::<wait::Wait>(),
        declaration::<element_interaction::ClickElementByIndex>(),
        declaration::<element_interaction::DoubleClickElementByIndex>(),
        declaration::<element_interaction::HoverElementByIndex>(),
        declaration::<element_interaction::FocusElementByIndex>(),
        declaration::<element_interaction::CheckElementByIndex>(),
        declaration::<element_interaction::UncheckElementByIndex>(),
        declaration::<element_interaction::InputText>(),
        declaration::<element_interaction::TypeText>(),
        declaration::<element_interaction::UploadFile>(),
        declaration::<element_interaction::DragElementByIndex>(),
        declaration::<element_interaction::SendKeys>(),
        declaration::<element_interaction::PressKey>(),
        declaration::<element_interaction::KeyDown>(),
        declaration::<element_interaction::KeyUp>(),
        declaration::<element_interaction::GetDropdownOptions>(),
        declaration::<element_interaction::SelectDropdownOption>(),
        declaration::<element_interaction::Scroll>(),
        declaration::<element_interaction::ScrollToText>(),
    ]
}

/// The rest of it.
fn looking() -> Vec<Declaration> {
    vec![
        declaration::<element_reading::GetElementText>(),
        declaration::<element_reading::GetElementHtml>(),
        declaration::<element_reading::GetElementValue>(),
        declaration::<element_reading::GetElementAttribute>(),
        declaration::<element_reading::GetElementListeners>(),
        declaration::<element_reading::GetElementCount>(),
        declaration::<element_reading::GetElementBox>(),
        declaration::<element_reading::IsVisible>(),
        declaration::<element_reading::IsEnabled>(),
        declaration::<element_reading::IsChecked>(),
        declaration::<selector_text::ClickElementBySelector>(),
        declaration::<selector_text::InputTextBySelector>(),
        declaration::<selector_text::ClickElementByText>(),
        declaration::<selector_text::ClickElementByRole>(),
        declaration::<selector_text::InputTextByLabel>(),
        declaration::<selector_text::ClearText>(),
        declaration::<selector_text::HoverAndClick>(),
        declaration::<tabs::GetTabs>(),
        declaration::<tabs::NewTab>(),
        declaration::<tabs::SwitchTab>(),
        declaration::<tabs::SwitchTabByUrl>(),
        declaration::<tabs::CloseTab>(),
        declaration::<tabs::CloseOtherTabs>(),
        declaration::<tabs::BringToFront>(),
        declaration::<wait::WaitForElement>(),
        declaration::<wait::WaitForText>(),
        declaration::<wait::WaitForUrl>(),
        declaration::<wait::WaitForLoad>(),
        declaration::<wait::WaitForFunction>(),
        declaration::<wait::WaitForIdle>(),
        declaration::<wait::WaitForStable>(),
        declaration::<wait::WaitForCount>(),
        declaration::<mouse::MouseMove>(),
        declaration::<mouse::MouseDown>(),
        declaration::<mouse::MouseUp>(),
        declaration::<mouse::MouseWheel>(),
        declaration::<mouse::MouseClick>(),
        declaration::<mouse::MouseClickBySelector>(),
        declaration::<screenshot_pdf::Screenshot>(),
        declaration::<dialogs_modals::GetDialog>(),
        declaration::<dialogs_modals::ClearDialog>(),
        declaration::<dialogs_modals::GetJsDialog>(),
        declaration::<dialogs_modals::ClearJsDialog>(),
        declaration::<dialogs_modals::SetDialogBehavior>(),
        declaration::<dialogs_modals::GetModals>(),
        declaration::<dialogs_modals::CloseModal>(),
        declaration::<console::GetConsoleLogs>(),
        declaration::<console::ClearConsoleLogs>(),
        declaration::<network::Route>(),
        declaration::<network::Unroute>(),
        declaration::<network::GetRequests>(),
        declaration::<network::WaitForResponse>(),
        declaration::<network::GetResponseBody>(),
        declaration::<page_reading::GetPageSnapshot>(),
        declaration::<page_reading::DiffDomText>(),
        declaration::<page_reading::GetInteractiveMap>(),
        declaration::<page_reading::GetFormState>(),
        declaration::<page_reading::ExtractStructuredData>(),
        declaration::<page_reading::ExtractMarkdown>(),
        declaration::<page_reading::FindText>(),
        declaration::<page_reading::ListTables>(),
        declaration::<page_reading::DownloadImage>(),
        declaration::<script::ExecuteJs>(),
        declaration::<introspection::ListMethods>(),
        declaration::<introspection::GetConfig>(),
        declaration::<introspection::ListTasks>(),
        declaration::<batch::Commands>(),
    ]
}
