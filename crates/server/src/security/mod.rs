//! Who may talk to the service: pure decisions over the head of a request.
//!
//! Invariant: every request is judged by [`decide`] before anything else looks at it, and a request that is refused
//! has touched nothing. The checks, in order: `Host` (against DNS rebinding), `Origin` and `Sec-Fetch-Site` (against
//! pages of other sites), the token, then route, verb, content type and declared size.

mod authority;
mod decide;
mod policy;
mod refusal;
#[cfg(test)]
mod table_tests;

pub use decide::{Head, Verdict, decide};
pub use policy::Policy;
pub use refusal::Refusal;
