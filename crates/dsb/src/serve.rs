//! `dsb serve`: the service in the foreground.
//!
//! Invariants: the port is bound before anything else is started, and its address is the only line on standard output;
//! the browser is closed before the process ends on SIGINT or SIGTERM.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use server::BindError;
use service::Service;
use service::config::{Config, Sources};
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;

use crate::cli::Common;
use crate::exit::{self, Exit};
use crate::settings::Settings;
use crate::terminal;

/// Last line of `serve -h`.
pub const KEYS_HINT: &str = "Any configuration key may be given as --key=value; --help lists them.";

/// Time for requests under way once the browser is closed.
const LAST_REPLIES: Duration = Duration::from_secs(3);

/// The list of configuration keys for `serve --help`.
pub fn keys_help() -> String {
    format!("Configuration keys, given as --key=value:\n{}", service::config::help())
}

/// Runs until a signal.
pub fn run(settings: Settings, common: &Common) -> Exit {
    log_to_stderr("info");
    let config = match configuration(settings, common) {
        Ok(config) => config,
        Err(error) => return exit::usage(&format!("{error:#}")),
    };
    match runtime().and_then(|runtime| Ok(runtime.block_on(serve(config))?)) {
        Ok(exit) => exit,
        Err(error) => exit::transport(&format!("{error:#}")),
    }
}

async fn serve(config: Config) -> io::Result<Exit> {
    let mut signals = Signals::new()?;
    let running = match Running::start(config).await {
        Ok(running) => running,
        Err(error) => return Ok(refused(&error)),
    };
    terminal::print(&format!("listening on {}", running.base()))?;
    signals.next().await;
    tokio::select! {
        () = running.stop() => Ok(Exit::Done),
        // Asked a second time: end now; the browser ends with its pipe.
        () = signals.next() => Ok(Exit::Transport),
    }
}

/// Reports why a service did not start.
pub fn refused(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<BindError>() {
        Some(BindError::TokenRequired { .. } | BindError::Unresolved { .. }) => exit::usage(&format!("{error:#}")),
        _ => exit::transport(&format!("{error:#}")),
    }
}

/// Settings of the command line, environment and files; warnings go to the log. `--host` and `--port` are the keys of
/// the same meaning.
///
/// # Errors
/// When the working directory is gone.
pub fn configuration(mut settings: Settings, common: &Common) -> anyhow::Result<Config> {
    let short = [
        ("server.host", common.host.clone()),
        ("server.port", common.port.map(|port| port.to_string())),
    ];
    for (key, value) in short {
        let Some(value) = value else { continue };
        if !settings.iter().any(|(known, _)| known == key) {
            settings.push((key.to_owned(), value));
        }
    }
    let work_dir: PathBuf = std::env::current_dir().context("the working directory cannot be read")?;
    let (config, warnings) = Config::load(Sources::of_process(settings, work_dir));
    for warning in warnings {
        tracing::warn!("{}", warning.render(config.server.language));
    }
    Ok(config)
}

/// A runtime for the service.
///
/// # Errors
/// When the system gives no threads.
pub fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("no threads for the service")
}

/// Sends the log to standard error; `RUST_LOG` sets what is logged.
pub fn log_to_stderr(default: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false);
    if let Err(error) = subscriber.try_init() {
        eprintln!("dsb: no log: {error}");
    }
}

/// A service with its listener.
pub struct Running {
    service: Arc<Service>,
    address: std::net::SocketAddr,
    finish: oneshot::Sender<()>,
    serving: JoinHandle<io::Result<()>>,
}

impl Running {
    /// Binds, then starts the service on the port that was really taken.
    ///
    /// # Errors
    /// [`BindError`], or what the service says.
    pub async fn start(mut config: Config) -> anyhow::Result<Self> {
        let bound = server::bind(&config).await?;
        let address = bound.addr();
        config.server.port = address.port();
        // The literal that operators' scripts look for, in every language of the service.
        tracing::info!("响应跳过null={}", config.json.skip_null);
        let service = Service::start(config.clone())?;
        let (finish, finished) = oneshot::channel::<()>();
        let serving = {
            let service = service.clone();
            let until = async {
                // A dropped sender means the same as a message.
                let _ = finished.await;
            };
            tokio::spawn(async move { bound.serve(service, &config, until).await })
        };
        Ok(Self {
            service,
            address,
            finish,
            serving,
        })
    }

    /// `http://address:port`.
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Takes no new requests, closes the browser, and lets the last replies out.
    pub async fn stop(self) {
        let _ = self.finish.send(());
        self.service.stop().await;
        match tokio::time::timeout(LAST_REPLIES, self.serving).await {
            Ok(Ok(Err(error))) => tracing::warn!(%error, "listener"),
            Ok(Err(error)) => tracing::warn!(%error, "listener"),
            Ok(Ok(Ok(()))) => {}
            Err(_) => tracing::warn!("some requests were cut off"),
        }
    }
}

/// SIGINT and SIGTERM.
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Takes both signals over from here on.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for one of them.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => tracing::info!("SIGINT"),
            _ = self.terminate.recv() => tracing::info!("SIGTERM"),
        }
    }
}
