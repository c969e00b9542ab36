//! `dsb demo`: the service, a small application, and an agent's whole loop on it.
//!
//! Invariant: the exit code is 0 only if every step of the tour succeeded; a service that was running before is used
//! as it is and left as it was.

mod page_text;
mod site;
mod story;
mod tour;

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Map, Value};
use service::config::Config;

use crate::cli::{Common, Demo};
use crate::client::{self, Client, SendError, Target, envelope};
use crate::exit::{self, Exit};
use crate::serve::{self, Running, Signals};
use crate::settings::Settings;
use crate::terminal;

/// Longest wait for a service that may be running already.
const PROBE_LIMIT: Duration = Duration::from_secs(3);

/// Runs the demo.
pub fn run(options: &Demo, settings: Settings, common: &Common) -> Exit {
    serve::log_to_stderr("warn");
    match prepare(settings, common).and_then(|plan| serve::runtime().map(|runtime| (plan, runtime))) {
        Ok((plan, runtime)) => runtime.block_on(perform(plan, options.once, common.timeout)),
        Err(error) => exit::usage(&format!("{error:#}")),
    }
}

/// Which service is used.
struct Plan {
    config: Config,
    /// Where one may be running already; none when a free port was asked for.
    existing: Option<String>,
    /// Whether one may be started when none is running there.
    may_start: bool,
}

fn prepare(settings: Settings, common: &Common) -> anyhow::Result<Plan> {
    let target: Target = client::resolve_address(common, &client::environment).map_err(anyhow::Error::msg)?;
    let mut named = common.clone();
    if target.named && !target.by_url {
        named.host = named.host.or_else(|| client::environment("DSB_HOST"));
        named.port = named
            .port
            .or_else(|| client::environment("DSB_PORT").and_then(|port| port.parse().ok()));
    }
    let config = serve::configuration(settings, &named)?;
    let existing = match (target.by_url, config.server.port) {
        (true, _) => Some(target.base),
        (false, 0) => None,
        (false, port) => Some(address_of(&config.server.host, port)),
    };
    Ok(Plan {
        config,
        existing,
        may_start: !target.by_url,
    })
}

fn address_of(host: &str, port: u16) -> String {
    if host.contains(':') && !host.starts_with('[') {
        format!("http://[{host}]:{port}")
    } else {
        format!("http://{host}:{port}")
    }
}

async fn perform(plan: Plan, once: bool, timeout: f64) -> Exit {
    let mut signals = match Signals::new() {
        Ok(signals) => signals,
        Err(error) => return exit::transport(&format!("signals: {error}")),
    };
    let (own, base) = match obtain(plan).await {
        Ok(service) => service,
        Err(error) => return serve::refused(&error),
    };
    let limit = Duration::from_secs_f64(timeout);
    let exit = tokio::select! {
        exit = show(base, once, limit) => exit,
        () = signals.next() => Exit::Failed,
    };
    if exit == Exit::Done && !once {
        say("\nServing on. Ctrl-C ends.");
        signals.next().await;
    }
    if let Some(own) = own {
        tokio::select! {
            () = own.stop() => {}
            () = signals.next() => {}
        }
    }
    exit
}

/// A running service of ours, or one started here; with its address.
async fn obtain(plan: Plan) -> anyhow::Result<(Option<Running>, String)> {
    if let Some(base) = plan.existing {
        let probed = base.clone();
        match tokio::task::spawn_blocking(move || probe(&probed))
            .await
            .context("probe")??
        {
            Some(pid) => {
                say(&format!("service  {base} (was running already, process {pid})"));
                return Ok((None, base));
            }
            None if !plan.may_start => bail!("no service at {base}"),
            None => {}
        }
    }
    let token = plan.config.server.token.is_set();
    let running = Running::start(plan.config).await?;
    let base = running.base();
    say(&format!(
        "service  {base} (started here, process {})",
        std::process::id()
    ));
    if token && client::token().is_none() {
        say("         it asks for a token: set DSB_TOKEN to the same value");
    }
    Ok((Some(running), base))
}

/// The process that answers at an address as a service of ours; none when nobody is there.
fn probe(base: &str) -> anyhow::Result<Option<u64>> {
    match Client::new(base, client::token(), PROBE_LIMIT).get("/playwright/health") {
        Ok(reply) if reply.envelope["data"]["name"] == "playwright-server" => {
            Ok(Some(reply.envelope["data"]["pid"].as_u64().unwrap_or_default()))
        }
        Ok(_) | Err(SendError::Foreign { .. }) => {
            bail!("{base} is used by another program; --port N takes another port")
        }
        Err(SendError::Unreachable { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The tour itself, with its last words.
async fn show(base: String, once: bool, limit: Duration) -> Exit {
    let page = match site::start().await {
        Ok(address) => format!("http://{address}/"),
        Err(error) => return exit::transport(&format!("demo application: {error}")),
    };
    say(&format!("page     {page} (demo application, this machine only)"));
    let toured = tokio::task::spawn_blocking(move || {
        let client = Client::new(&base, client::token(), limit);
        let finished = tour::take(&client, &page)?;
        if once {
            end_task(&client, &finished.task)?;
        }
        anyhow::Ok((finished, base))
    });
    match toured.await.context("tour").and_then(|result| result) {
        Ok((finished, base)) => {
            say("\nEvery step succeeded, and the table shows the new row.");
            say(&format!("screenshot  {}", finished.screenshot));
            if !once {
                say(&format!("            {}", finished.screenshot_url));
                say(&format!(
                    "go on       dsb --base-url {base} --id {} state --text-only",
                    finished.task
                ));
            }
            Exit::Done
        }
        Err(error) => {
            say(&format!(
                "\nThe tour ended early: {}",
                terminal::one_line(&format!("{error:#}"))
            ));
            Exit::Failed
        }
    }
}

fn end_task(client: &Client, task: &str) -> anyhow::Result<()> {
    let reply = client.command(&envelope(Some(task), "close", Map::<String, Value>::new()))?;
    if reply.envelope["ok"] == true {
        Ok(())
    } else {
        bail!("{}", reply.envelope["msg"].as_str().unwrap_or("close failed"))
    }
}

fn say(text: &str) {
    // A demo whose reader has left goes on; its exit code still counts.
    let _ = terminal::print(text);
}
