//! The routes that reach the service: translate the request, hand it over, send what comes back.
//!
//! Invariant: when a client goes away its request's future is dropped, and only the service decides what that means for
//! the command.

use axum::extract::{Request, State};
use axum::response::Response;
use service::Incoming;

use crate::guard::{Gate, collect};
use crate::reply;
use crate::routes::{CONFIG, METHODS};
use crate::security::Refusal;

/// `POST /playwright/command`.
pub async fn command(State(gate): State<Gate>, request: Request) -> Response {
    let language = gate.language(request.headers());
    let body = match collect(&gate.policy, request.into_body()).await {
        Ok(body) => body,
        Err(refusal) => return gate.refuse(&refusal, language),
    };
    reply::envelope(gate.service.handle(Incoming { body, language }).await)
}

/// `GET /playwright/health`: from memory alone, whatever the browser does.
pub async fn health(State(gate): State<Gate>) -> Response {
    reply::envelope(gate.service.health())
}

/// `GET /playwright/{methods,tasks,config}`: the same data as the command of that meaning.
pub async fn records(State(gate): State<Gate>, request: Request) -> Response {
    let language = gate.language(request.headers());
    let method = match request.uri().path() {
        METHODS => "list_methods",
        CONFIG => "get_config",
        _ => "list_tasks",
    };
    reply::envelope(gate.service.run_admin(method, language).await)
}

/// Any path that no route has.
pub async fn unknown(State(gate): State<Gate>, request: Request) -> Response {
    let language = gate.language(request.headers());
    gate.refuse(&Refusal::unknown_route(request.uri().path()), language)
}
