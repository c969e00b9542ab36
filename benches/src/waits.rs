//! What waiting costs: how long after its condition a wait answers, and what tasks that only wait take of a core.

use std::fs;
use std::thread::{scope, sleep};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::figure::Measured;
use crate::pairs::median;
use crate::world::{Bench, Plan, World};

/// When what is waited for comes, after it was asked for.
const COMES: &str = "150";
/// Tasks that wait at the same time.
const TASKS: usize = 20;
/// Over how long the processor time is taken. A part of what is measured, not a wait for something.
const WINDOW: Duration = Duration::from_secs(5);

/// From the moment that the page's own timer makes an element, by the page's clock, until the last byte of the reply.
/// Both clocks are that of the machine.
pub(crate) fn lateness(bench: &mut Bench, plan: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    world.open("change.html")?;
    let mut late = Vec::new();
    for turn in 0..plan.waits {
        let body = format!(
            "setTimeout(() => {{ const e = document.createElement('b'); e.id = 'came{turn}'; e.textContent = 'x'; \
             document.body.append(e); window.cameAt = performance.timeOrigin + performance.now(); }}, {COMES}); 0"
        );
        world.run("execute_js", &json!({"body": body}))?;
        world.run("wait_for_element", &json!({"selector": format!("#came{turn}")}))?;
        let answered = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64() * 1000.0;
        let came = world.run("execute_js", &json!({"body": "window.cameAt"}))?["result"]
            .as_f64()
            .context("the page's clock")?;
        late.push(answered - came);
    }
    let slowest = late.iter().copied().fold(f64::MIN, f64::max);
    Ok(Measured {
        value: median(late),
        basis: format!("median of {}, slowest {slowest:.1} ms", plan.waits),
    })
}

/// Processor time of the service while tasks wait for what never comes, in hundredths of a core.
pub(crate) fn idle_cost(bench: &mut Bench, _: &Plan) -> Result<Measured> {
    let world = bench.world()?;
    let tasks = (0..TASKS).map(|_| at_page(world)).collect::<Result<Vec<_>>>()?;
    let (dsb, seconds) = (&world.dsb, WINDOW.as_secs() + 10);
    let never = || json!({"selector": "#never", "timeoutSeconds": seconds});
    let took = scope(|scope| -> Result<Duration> {
        for task in &tasks {
            scope.spawn(|| dsb.call(task.as_str(), "wait_for_element", never()));
        }
        while waiting(&dsb.call(None, "list_tasks", json!({})).expect_ok()) < TASKS {
            std::thread::yield_now();
        }
        let before = processor_time(dsb.pid())?;
        sleep(WINDOW);
        let after = processor_time(dsb.pid())?;
        let still = waiting(&dsb.call(None, "list_tasks", json!({})).expect_ok());
        ensure!(still == TASKS, "only {still} tasks still waited");
        for task in &tasks {
            dsb.call(task.as_str(), "close", json!({}));
        }
        Ok(after - before)
    })?;
    Ok(Measured {
        value: 100.0 * took.as_secs_f64() / WINDOW.as_secs_f64(),
        basis: format!("{} ms of {} s", took.as_millis(), WINDOW.as_secs()),
    })
}

fn at_page(world: &World) -> Result<String> {
    let started = world.dsb.call(None, "start", json!({})).expect_ok();
    let id = started["id"].as_str().context("a task without an id")?.to_owned();
    let url = world.site.a("/plain/change.html");
    world
        .dsb
        .call(id.as_str(), "go_to_url", json!({"url": url}))
        .expect_ok();
    Ok(id)
}

fn waiting(list: &Value) -> usize {
    let tasks = list["tasks"].as_array().into_iter().flatten();
    tasks.filter(|task| task["inflight"] == 1).count()
}

/// User and system time of a process with all its threads; the system counts in hundredths of a second.
fn processor_time(pid: u32) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // After the command in brackets the state is field 3; utime is 14 and stime 15 (proc_pid_stat(5)).
    let ticks = |at: usize| -> Result<u64> { Ok(fields.get(at).context("a field of stat")?.parse()?) };
    Ok(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}
