//! The turn of a task: one holder at a time, strictly in the order of arrival.
//!
//! Invariant: a place in the queue is taken synchronously, so the order is that of the calls to [`Turn::enqueue`],
//! whatever the scheduler does later; whoever gives up, or is dropped while waiting, blocks nobody behind it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

#[derive(Debug, Default)]
struct State {
    held: bool,
    waiting: VecDeque<oneshot::Sender<Permit>>,
}

/// A first-come-first-served lock whose queue can be joined without awaiting.
#[derive(Debug, Clone, Default)]
pub struct Turn(Arc<Mutex<State>>);

/// A place in the queue.
#[derive(Debug)]
pub struct Place(oneshot::Receiver<Permit>);

/// The turn itself; dropping it passes it on.
#[derive(Debug)]
pub struct Permit {
    turn: Option<Turn>,
}

impl Turn {
    /// Takes the next place in the queue.
    pub fn enqueue(&self) -> Place {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.waiting.push_back(sender);
        }
        self.pass_on(false);
        Place(receiver)
    }

    /// Gives the turn to the first in the queue who still wants it. `released` says that the caller held it.
    fn pass_on(&self, released: bool) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if released {
            state.held = false;
        }
        while !state.held
            && let Some(next) = state.waiting.pop_front()
        {
            state.held = true;
            if let Err(mut refused) = next.send(Permit {
                turn: Some(self.clone()),
            }) {
                // Disarmed, because its drop would take the lock that is held here.
                refused.turn = None;
                state.held = false;
            }
        }
    }
}

impl Place {
    /// Waits for the turn, at most `limit` when there is one; `None` when the time is up.
    pub async fn wait(self, limit: Option<Duration>) -> Option<Permit> {
        match limit {
            Some(limit) => tokio::time::timeout(limit, self.0).await.ok()?.ok(),
            None => self.0.await.ok(),
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(turn) = self.turn.take() {
            turn.pass_on(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_order_is_that_of_joining_the_queue() {
        let turn = Turn::default();
        let first = turn.enqueue().wait(None).await.unwrap();
        let (second, third) = (turn.enqueue(), turn.enqueue());
        let order = Arc::new(Mutex::new(Vec::new()));
        let run = |name: u8, place: Place, order: Arc<Mutex<Vec<u8>>>| async move {
            let permit = place.wait(None).await.unwrap();
            order.lock().unwrap().push(name);
            tokio::task::yield_now().await;
            drop(permit);
        };
        let late = tokio::spawn(run(3, third, order.clone()));
        let early = tokio::spawn(run(2, second, order.clone()));
        tokio::task::yield_now().await;
        drop(first);
        late.await.unwrap();
        early.await.unwrap();
        assert_eq!(*order.lock().unwrap(), [2, 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn giving_up_blocks_nobody() {
        let turn = Turn::default();
        let holder = turn.enqueue().wait(None).await.unwrap();
        assert!(turn.enqueue().wait(Some(Duration::from_secs(5))).await.is_none());
        let dropped = turn.enqueue();
        let last = turn.enqueue();
        drop(dropped);
        drop(holder);
        assert!(last.wait(Some(Duration::from_secs(1))).await.is_some());
    }

    #[tokio::test]
    async fn a_permit_that_arrived_but_was_never_collected_is_passed_on() {
        let turn = Turn::default();
        let uncollected = turn.enqueue();
        let next = turn.enqueue();
        drop(uncollected);
        assert!(next.wait(None).await.is_some());
    }
}
