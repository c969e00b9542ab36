//! What navigation commands reply, and the way in which they are run.

use std::sync::Arc;

use engine::{Deadline, EngineError, Navigated, Tab};
use schemars::JsonSchema;
use serde::Serialize;

use super::address::{leads_here, usable};
use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::text;

/// Where a navigation led.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Landed {
    status: u16,
    url: String,
    title: String,
    same_document: Option<bool>,
    download: Option<bool>,
    no_document: Option<bool>,
    still_loading: Option<bool>,
    warning: Option<String>,
}

/// Opens `url` in `tab`. An error of the network is no failure when the page asked for is the one that is shown.
pub(super) async fn open(cx: &mut Context, tab: &Arc<Tab>, url: &str) -> Result<Landed, Failure> {
    let url = usable(url, cx.config())?;
    let deadline = cx.until();
    match tab.navigate(&url, deadline).await {
        Ok(navigated) => landed(cx, tab, navigated, deadline).await,
        Err(error @ EngineError::Network { .. }) => {
            let failed_page = tab.url().starts_with("chrome-error:")
                || tab
                    .state()
                    .frames
                    .main()
                    .is_some_and(|frame| frame.unreachable.is_some());
            if !failed_page && engine::same_page(&tab.url(), &url) && tab.url() != "about:blank" {
                let navigated = Navigated {
                    url: tab.url(),
                    ..Navigated::default()
                };
                let mut landed = landed(cx, tab, navigated, deadline).await?;
                landed.warning = Some(cx.say(&text!("navigation.landed_anyway", error = error)));
                return Ok(landed);
            }
            Err(Failure::from_engine(&error, false))
        }
        Err(error) => Err(Failure::from_engine(&error, false)),
    }
}

/// Refuses to stay where a redirect has led to the service itself: the page is left for a blank one.
///
/// # Errors
/// It was so.
pub(crate) async fn not_at_the_service(cx: &Context, tab: &Arc<Tab>, landed: &str) -> Result<(), Failure> {
    if !leads_here(landed, cx.config()) {
        return Ok(());
    }
    let _ = tab.navigate("about:blank", cx.until()).await;
    Err(Failure::new(
        Code::ActionFailed,
        text!("navigation.led_to_service", url = landed),
    ))
}

/// The receipt of a navigation that ended.
pub(super) async fn landed(
    cx: &mut Context,
    tab: &Arc<Tab>,
    navigated: Navigated,
    deadline: Deadline,
) -> Result<Landed, Failure> {
    not_at_the_service(cx, tab, &navigated.url).await?;
    if navigated.still_loading {
        cx.note(text!("navigation.still_loading"));
    }
    if navigated.download {
        cx.note(text!("navigation.download"));
    }
    if navigated.no_document {
        cx.note(text!("navigation.no_document"));
    }
    Ok(Landed {
        status: navigated.status,
        title: tab.title_now(deadline).await,
        url: navigated.url,
        same_document: navigated.same_document.then_some(true),
        download: navigated.download.then_some(true),
        no_document: navigated.no_document.then_some(true),
        still_loading: navigated.still_loading.then_some(true),
        warning: None,
    })
}
