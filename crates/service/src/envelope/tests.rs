//! Reading requests and writing replies.

use proptest::prelude::*;

use super::*;
use crate::failure::Code;

fn refusal(body: &str) -> String {
    let illegible = Request::parse(body.as_bytes()).unwrap_err();
    assert!(illegible.failure.is_invalid_argument());
    illegible.failure.text.render(Language::En)
}

fn style() -> Style {
    Style {
        mode: ResponseMode::Full,
        diagnostics: false,
        skip_null: true,
        language: Language::En,
    }
}

#[test]
fn a_full_request_is_read() {
    let body = r#"{"id":"1001","method":" get_url ","params":{"a":1},"responseMode":"Compact","diagnostics":true,
                   "requestKey":"k"}"#;
    let request = Request::parse(body.as_bytes()).unwrap();
    assert_eq!((request.id, request.method.as_str()), (Some(TaskId(1001)), "get_url"));
    assert_eq!((request.mode, request.diagnostics), (ResponseMode::Compact, true));
    assert_eq!(
        (request.params["a"].clone(), request.request_key.as_deref()),
        (json!(1), Some("k"))
    );
}

#[test]
fn nulls_count_as_absent() {
    let request = Request::parse(br#"{"id":null,"method":"x","params":null,"responseMode":null}"#).unwrap();
    assert_eq!(
        (request.id, request.params.len(), request.mode),
        (None, 0, ResponseMode::Full)
    );
}

#[test]
fn what_is_wrong_with_a_body_is_told() {
    assert!(refusal(" \n").contains("empty"));
    assert!(refusal("{\"method\":}").contains("line 1, column 11"));
    assert!(refusal("{\"method\":\"x\"} trailing").contains("not valid JSON"));
    assert!(refusal("[]").contains("array"));
    assert!(refusal("{}").contains("method is missing"));
    assert!(refusal(r#"{"method":""}"#).contains("method is missing"));
    assert!(refusal(r#"{"method":7}"#).contains("number"));
    for id in ["\"abc\"", "1.5", "true", "{}", "99999999999999999999"] {
        assert!(
            refusal(&format!(r#"{{"method":"x","id":{id}}}"#)).starts_with("id must be"),
            "{id}"
        );
    }
    assert!(refusal(r#"{"method":"x","params":[]}"#).contains("params must be an object"));
    assert!(refusal(r#"{"method":"x","responseMode":"tiny"}"#).contains("tiny"));
    assert!(refusal(r#"{"method":"x","diagnostics":3}"#).contains("diagnostics"));
    for key in [String::new(), "k".repeat(129)] {
        assert!(refusal(&json!({"method": "x", "requestKey": key}).to_string()).contains("requestKey"));
    }
}

#[test]
fn a_success_has_three_members_and_a_failure_four() {
    let reply = Reply::bare(Ok(json!({"a": null, "b": 1})));
    assert_eq!(
        reply.envelope(style(), &|_| None).to_string(),
        r#"{"data":{"b":1},"code":1,"ok":true}"#
    );
    assert_eq!(
        Reply::bare(Ok(Value::Null)).envelope(style(), &|_| None).to_string(),
        r#"{"code":1,"ok":true}"#
    );
    let failure = Failure::new(Code::StaleElement, text!("envelope.empty")).with("index", 9);
    let reply = Reply::refused(Some("click".into()), failure);
    let envelope = reply.envelope(style(), &|_| None);
    assert_eq!(
        envelope.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["data", "code", "msg", "ok"]
    );
    assert_eq!(
        envelope["data"],
        json!({"errorCode": "STALE_ELEMENT", "retryable": true, "retryAfterMs": 300, "index": 9})
    );
    assert!(
        envelope["msg"]
            .as_str()
            .unwrap()
            .starts_with("click failed: The body is empty.")
    );
    assert_eq!(
        (envelope["code"].clone(), envelope["ok"].clone(), reply.status()),
        (json!(0), json!(false), 200)
    );
}

#[test]
fn nulls_stay_when_the_configuration_says_so() {
    let reply = Reply::bare(Ok(json!({"a": null})));
    let envelope = reply.envelope(
        Style {
            skip_null: false,
            ..style()
        },
        &|_| None,
    );
    assert_eq!(envelope["data"], json!({"a": null}));
}

#[test]
fn notes_are_joined_to_the_commands_own() {
    let mut reply = Reply::bare(Ok(json!({"note": "Own."})));
    reply.notes = vec![text!("batch.empty"), text!("envelope.empty")];
    let note = reply.envelope(style(), &|_| None)["data"]["note"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        note.starts_with("Own. The array of commands is empty. The body is empty."),
        "{note}"
    );
    let mut bare = Reply {
        replayed: true,
        ..Reply::bare(Ok(Value::Null))
    };
    bare.notes = vec![text!("batch.empty")];
    let data = bare.envelope(style(), &|_| None)["data"].clone();
    assert_eq!(
        data,
        json!({"note": "The array of commands is empty.", "replayed": true})
    );
}

#[test]
fn messages_speak_the_callers_language() {
    let reply = Reply::refused(Some("start".into()), Failure::invalid(text!("batch.empty")));
    let envelope = reply.envelope(
        Style {
            language: Language::ZhCn,
            ..style()
        },
        &|_| None,
    );
    assert_eq!(envelope["msg"], "start 失败：命令数组为空。");
    assert_eq!(reply.status(), 400);
}

proptest! {
    #[test]
    fn no_body_breaks_the_reader(body in proptest::collection::vec(any::<u8>(), 0..60)) {
        if let Err(illegible) = Request::parse(&body) {
            prop_assert!(illegible.failure.is_invalid_argument());
        }
    }

    #[test]
    fn ids_survive_as_numbers_and_strings(id in any::<i64>()) {
        for body in [json!({"method": "x", "id": id}), json!({"method": "x", "id": id.to_string()})] {
            let request = Request::parse(body.to_string().as_bytes());
            prop_assert_eq!(request.unwrap().id, Some(TaskId(id)));
        }
    }
}
