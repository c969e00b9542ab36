//! The figures that the product holds: what it weighs, how soon it answers, what a command costs beside the bare
//! protocol calls that do the same work.
//!
//! Invariant: a command and what it is compared with are measured in one run, turn by turn, on two browsers of the same
//! executable with the same settings; no figure depends on how fast the machine is, except those that the product
//! promises in milliseconds or bytes. `./bench` judges by the bounds as they are; the tests sample the same code.

mod bare;
mod commands;
mod figure;
mod http;
mod modals;
mod network;
mod pairs;
mod peer;
mod playwright;
mod process;
mod reading;
mod waits;
mod world;

pub use figure::{Figure, Measured, Unit, table};
pub use world::{Bench, Plan};

/// Name of the figure that only the shipped build can be judged by.
pub const SIZE: &str = "release binary, stripped";

/// All figures, in the order in which they are measured: those of a service without a browser come first.
pub const FIGURES: [Figure; 19] = [
    Figure {
        name: SIZE,
        unit: Unit::Megabytes,
        bound: 15.0,
        measure: process::size,
    },
    Figure {
        name: "health after exec",
        unit: Unit::Milliseconds,
        bound: 50.0,
        measure: process::start,
    },
    Figure {
        name: "resident memory, one task",
        unit: Unit::Megabytes,
        bound: 20.0,
        measure: process::memory,
    },
    Figure {
        name: "get_title / Runtime.evaluate",
        unit: Unit::Times,
        bound: 3.0,
        measure: commands::title,
    },
    Figure {
        name: "click / bare click, page at rest",
        unit: Unit::Times,
        bound: 4.0,
        measure: commands::click_at_rest,
    },
    Figure {
        name: "click / bare click, one by one",
        unit: Unit::Times,
        bound: 4.0,
        measure: commands::click_again,
    },
    Figure {
        name: "close_modal / bare click",
        unit: Unit::Times,
        bound: 8.0,
        measure: modals::close,
    },
    Figure {
        name: "click / playwright-core click",
        unit: Unit::TimesOther,
        bound: 0.25,
        measure: peer::click,
    },
    Figure {
        name: "form of ten / playwright-core fill",
        unit: Unit::TimesOther,
        bound: 1.0 / 3.0,
        measure: peer::form,
    },
    Figure {
        name: "200 characters / playwright-core",
        unit: Unit::TimesOther,
        bound: 1.0,
        measure: peer::typing,
    },
    Figure {
        name: "state of the view / bare walk",
        unit: Unit::Times,
        bound: 3.0,
        measure: reading::view,
    },
    Figure {
        name: "state of 1,000 / bare walk",
        unit: Unit::Times,
        bound: 2.0,
        measure: reading::small,
    },
    Figure {
        name: "state of 10,000 / bare walk",
        unit: Unit::Times,
        bound: 2.0,
        measure: reading::large,
    },
    Figure {
        name: "state of 50,000 / bare walk",
        unit: Unit::Times,
        bound: 2.0,
        measure: reading::huge,
    },
    Figure {
        name: "growth from 10,000 to 50,000",
        unit: Unit::Times,
        bound: 1.2,
        measure: reading::growth,
    },
    Figure {
        name: "bytes / (1.1 x text + 2 KB)",
        unit: Unit::Times,
        bound: 1.0,
        measure: reading::bytes,
    },
    Figure {
        name: "wait: condition to answer",
        unit: Unit::Milliseconds,
        bound: 15.0,
        measure: waits::lateness,
    },
    Figure {
        name: "twenty tasks waiting, of a core",
        unit: Unit::Percent,
        bound: 1.0,
        measure: waits::idle_cost,
    },
    Figure {
        name: "500 requests, recorded / not",
        unit: Unit::Times,
        bound: 1.05,
        measure: network::recording,
    },
];
