//! Address and title asked of the page itself, with what the browser last told as the answer of a page that hangs.

use std::time::Duration;

use cdp::protocol::runtime;

use crate::deadline::Deadline;
use crate::error::Result;
use crate::evaluate::plain;
use crate::tab::Tab;

/// How long a page may take to say where it is.
const PATIENCE: Duration = Duration::from_secs(1);

// A document shows its named elements as members in place of its own; the members of its prototype are never masked.
const TITLE: &str = "Reflect.get(Document.prototype, 'title', document)";
const READY_STATE: &str = "Reflect.get(Document.prototype, 'readyState', document)";

impl Tab {
    /// Title of the main document now.
    pub async fn title_now(&self, deadline: Deadline) -> String {
        match self.ask(TITLE, deadline.within(PATIENCE)).await {
            Ok(Some(title)) => {
                // The browser's own announcement may be late, or be the address in place of a title.
                self.state().title.clone_from(&title);
                title
            }
            _ => self.title(),
        }
    }

    /// Address of the main document now.
    pub async fn url_now(&self, deadline: Deadline) -> String {
        match self.ask("location.href", deadline.within(PATIENCE)).await {
            // An error page calls itself chrome-error://chromewebdata/; the address that was asked for says more.
            Ok(Some(url)) if !url.starts_with("chrome-error:") => url,
            _ => self.url(),
        }
    }

    /// Whether the main document or what belongs to it is still being loaded.
    pub async fn is_loading(&self, deadline: Deadline) -> bool {
        match self.ask(READY_STATE, deadline.within(PATIENCE)).await {
            Ok(Some(state)) => state != "complete",
            _ => !self.state().settled(),
        }
    }

    async fn ask(&self, expression: &str, deadline: Deadline) -> Result<Option<String>> {
        let main = self.main_frame()?;
        let context_id = self.world(&main, deadline).await?;
        let ask = runtime::Evaluate {
            expression: expression.into(),
            context_id: Some(context_id),
            return_by_value: Some(true),
            ..Default::default()
        };
        let reply = self.ask_page(&main.session, ask, deadline).await;
        if matches!(reply, Err(crate::EngineError::Navigating)) {
            self.worlds.forget(&main.id);
        }
        Ok(reply?.result.value.as_deref().and_then(plain))
    }
}
