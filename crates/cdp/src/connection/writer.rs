//! The writing task: sends what is queued, in order, whole messages only.

use super::shared::{Closed, Shared, when_closed};
use crate::transport::TransportWriter;
use std::pin::pin;
use std::sync::Weak;
use tokio::sync::mpsc;

pub(super) async fn run(
    shared: Weak<Shared>,
    mut closed: Closed,
    mut writer: Box<dyn TransportWriter>,
    mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>,
) {
    let mut closed = pin!(when_closed(&mut closed));
    loop {
        // A close must not wait for a browser that has stopped reading; the half message is of no use then.
        let sent = tokio::select! {
            _ = &mut closed => return,
            sent = send_next(&mut *writer, &mut outgoing) => sent,
        };
        let (Some(sent), Some(shared)) = (sent, shared.upgrade()) else {
            return;
        };
        shared.written();
        if let Err(error) = sent {
            return shared.shut_down(&format!("cannot write to the browser: {error}"), None);
        }
    }
}

/// Sends the next message; `None` when there will be none.
async fn send_next(
    writer: &mut dyn TransportWriter,
    outgoing: &mut mpsc::UnboundedReceiver<Vec<u8>>,
) -> Option<Result<(), crate::transport::TransportError>> {
    let message = outgoing.recv().await?;
    Some(writer.send(message).await)
}
