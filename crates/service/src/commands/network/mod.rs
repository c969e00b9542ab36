//! What the task's pages ask of the network: reading the record, waiting for answers, changing what happens to requests.
//! Invariant: nothing leaves here before secrets in it were masked, and a reply that is empty because nothing was
//! recorded says so.

mod body;
mod get_requests;
mod get_response_body;
mod har;
mod record;
mod route;
mod state;
mod unroute;
mod wait_for_response;

pub use get_requests::GetRequests;
pub use get_response_body::GetResponseBody;
pub(crate) use record::Shown;
pub use route::Route;
pub(crate) use state::off_note;
pub use unroute::Unroute;
pub use wait_for_response::WaitForResponse;
