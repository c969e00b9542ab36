//! The ring: bounds, joining by id, hops of a redirect.

use super::*;

fn budget() -> Budget {
    Budget {
        requests: 5,
        responses: 3,
        body_bytes: 100,
    }
}

fn ask(log: &mut Log, wire: &str) -> u64 {
    let mut exchange = Exchange::new(wire, &format!("http://x/{wire}"), "Fetch", 1);
    exchange.id = format!("id-{wire}-{}", log.serial);
    log.add(exchange)
}

fn answer(log: &mut Log, wire: &str, more: bool) -> u64 {
    let answer = Answer {
        status: 200,
        ..Answer::default()
    };
    log.answer(wire, answer, more).unwrap()
}

fn text(length: usize) -> Body {
    Body::Text {
        text: "x".repeat(length).into(),
        chars: length,
        at: 1,
    }
}

fn fields(value: &str) -> Headers {
    [("cookie".to_owned(), value.to_owned())].into()
}

#[test]
fn ten_thousand_requests_stay_within_the_budget() {
    let mut log = Log::new(budget());
    for n in 0..10_000 {
        let wire = n.to_string();
        let serial = ask(&mut log, &wire);
        log.asked_fields(&wire, fields("a"));
        log.told_fields(&format!("stranger {n}"), fields("b"));
        answer(&mut log, &wire, false);
        log.set_body(serial, text(40));
    }
    assert_eq!((log.len(), log.answers.len()), (5, 3));
    assert!(log.chains.len() <= 5 + 2 * 5 + 1, "{}", log.chains.len());
    assert!(log.body_bytes <= 100 && log.head_bytes < 1000);
    let held: usize = log.entries().map(|one| one.body.bytes()).sum();
    assert_eq!((held, log.body_bytes), (80, 80));
    assert_eq!((log.losses.requests, log.losses.bodies), (9_995, 9_998));
    let bodies: Vec<_> = log.entries().map(|one| (one.dropped, one.body.bytes())).collect();
    assert_eq!(bodies, [(true, 0), (true, 0), (false, 0), (false, 40), (false, 40)]);
}

#[test]
fn messages_are_bounded_and_counted() {
    let mut log = Log::new(budget());
    for wire in ["a", "b"] {
        ask(&mut log, wire);
        for n in 0..MESSAGES + 5 {
            let message = Message {
                at: 1,
                sent: n % 2 == 0,
                text: "y".repeat(4000),
                length: 4000,
                binary: false,
                event: None,
            };
            log.message(wire, message);
        }
    }
    let one = log.newest_mut("b").unwrap();
    assert_eq!((one.messages.len(), one.sent + one.received), (MESSAGES, 105));
    assert_eq!(log.losses.messages, 10);
    assert_eq!(log.message_bytes, 2 * MESSAGES * 4000);
    for n in 0..5 {
        ask(&mut log, &n.to_string());
    }
    assert_eq!(log.message_bytes, 0);
}

#[test]
fn the_hops_of_a_redirect_are_linked_and_have_their_own_fields() {
    let mut log = Log::new(budget());
    log.asked_fields("r", fields("first"));
    let first = ask(&mut log, "r");
    answer(&mut log, "r", true);
    let second = ask(&mut log, "r");
    log.told_fields("r", fields("told first"));
    log.asked_fields("r", fields("second"));
    answer(&mut log, "r", true);
    log.told_fields("r", fields("told second"));
    let (first, second) = (log.get(first).unwrap(), log.get(second).unwrap());
    assert_eq!(first.redirected_to.as_deref(), Some("http://x/r"));
    assert_eq!(second.redirected_from.as_ref(), Some(&first.id));
    let told = |one: &Exchange| one.answer.as_ref().unwrap().headers["cookie"].clone();
    assert_eq!(
        (first.headers["cookie"].as_str(), told(first).as_str()),
        ("first", "told first")
    );
    assert_eq!(
        (second.headers["cookie"].as_str(), told(second).as_str()),
        ("second", "told second")
    );
}

#[test]
fn a_hop_of_which_nothing_is_told_does_not_shift_the_others() {
    let mut log = Log::new(budget());
    let first = ask(&mut log, "r");
    answer(&mut log, "r", false);
    let second = ask(&mut log, "r");
    answer(&mut log, "r", true);
    log.told_fields("r", fields("second"));
    assert!(log.get(first).unwrap().answer.as_ref().unwrap().headers.is_empty());
    assert_eq!(
        log.get(second).unwrap().answer.as_ref().unwrap().headers["cookie"],
        "second"
    );
}
