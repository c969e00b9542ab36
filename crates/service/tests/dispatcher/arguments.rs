//! What is refused before anything is started, and in which words.

use serde_json::json;
use service::ids::TaskId;
use service::messages::Language;
use service::{Incoming, Service};

use crate::bench::{Bench, data, failed, request};

#[tokio::test]
async fn bodies_that_are_no_request_are_argument_errors() {
    let bench = Bench::new();
    for body in [
        "",
        "{",
        "[1]",
        "\"x\"",
        "{}",
        r#"{"method":null}"#,
        r#"{"method":"t_ping","id":"x1"}"#,
    ] {
        let (status, reply) = bench.bytes(body).await;
        assert_eq!(status, 400, "{body}");
        let data = failed(&reply, "INVALID_ARGUMENT");
        assert_eq!(
            (&data["invalidArgument"], &data["started"]),
            (&json!(true), &json!(false)),
            "{body}"
        );
        assert!(data["note"].is_string());
        assert_eq!(
            reply.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["data", "code", "msg", "ok"]
        );
        assert!(!reply["msg"].as_str().unwrap().contains("serde"), "{reply}");
    }
}

#[tokio::test]
async fn unknown_methods_get_suggestions_and_planned_ones_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::start(service::config::Config::defaults(dir.path(), None)).unwrap();
    let call = async |method: &str| {
        let body = json!({"method": method}).to_string().into_bytes();
        let outgoing = service
            .handle(Incoming {
                body,
                language: Language::En,
            })
            .await;
        (
            outgoing.status,
            serde_json::from_slice::<serde_json::Value>(&outgoing.body).unwrap(),
        )
    };
    let (status, reply) = call("list_tabs").await;
    assert_eq!(status, 400);
    assert_eq!(failed(&reply, "INVALID_ARGUMENT")["candidates"][0], "get_tabs");
    assert!(
        reply["msg"].as_str().unwrap().contains("Did you mean get_tabs"),
        "{reply}"
    );
    let (_, nonsense) = call("zzzzzzzzzzzz").await;
    assert_eq!(nonsense["data"]["candidates"], json!([]));
    let (status, planned) = call("ocr_image").await;
    assert_eq!(
        (status, &failed(&planned, "NOT_IMPLEMENTED")["started"]),
        (200, &json!(false))
    );
}

#[tokio::test]
async fn the_task_must_exist() {
    let bench = Bench::new();
    let missing = bench.call(json!({"method": "t_ping"})).await;
    assert_eq!(failed(&missing, "ACTION_FAILED")["started"], false);
    assert!(missing["msg"].as_str().unwrap().contains("needs the id"), "{missing}");
    let unknown = bench.call(request(TaskId(42), "t_ping", json!({}))).await;
    let message = unknown["msg"].as_str().unwrap();
    failed(&unknown, "ACTION_FAILED");
    assert!(
        ["42", "started at", "list_tasks", "start"]
            .iter()
            .all(|part| message.contains(part)),
        "{message}"
    );
    let (id, ..) = bench.task();
    for id in [json!(id.0), json!(id.to_string())] {
        data(&bench.call(json!({"id": id, "method": "t_ping"})).await);
    }
    let again = bench.call(request(id, "t_begin", json!({}))).await;
    assert!(failed(&again, "ACTION_FAILED")["started"] == false && bench.service.tasks().count() == 1);
}

#[tokio::test]
async fn parameters_are_checked_converted_and_unknown_ones_told() {
    let bench = Bench::new();
    let call = async |params| bench.call(json!({"method": "t_everything", "params": params})).await;
    let confused = call(json!({"text": "x", "index": 1})).await;
    assert!(
        confused["msg"]
            .as_str()
            .unwrap()
            .starts_with("t_everything failed: missing parameter pageIndex (you sent")
    );
    let wrong = call(json!({"text": "x", "pageIndex": {}})).await;
    assert_eq!(failed(&wrong, "INVALID_ARGUMENT")["parameter"], "pageIndex");
    let reply = call(
        json!({"pageIndex": "2", "text": true, "mode": "JS", "factor": "0.5", "colour": 1, "async": true,
                            "retryOnSpurious": false}),
    )
    .await;
    let data = data(&reply);
    assert_eq!(
        (&data["pageIndex"], &data["text"], &data["mode"]),
        (&json!(2), &json!("true"), &json!("js"))
    );
    assert_eq!(data["unknownParams"], json!(["colour"]));
    assert!(data["unknownParamNote"].as_str().unwrap().contains("pageIndex, text"));
    assert!(
        data["note"].as_str().unwrap().contains("async"),
        "async means nothing here: {data}"
    );
}

#[tokio::test]
async fn nulls_are_left_out_of_our_own_structures_and_left_alone_in_a_pages() {
    let bench = Bench::new();
    let page = json!({"a": null, "b": [null, {"c": null}]});
    let sent = json!({"pageIndex": 1, "text": "x", "page": page, "vars": {"gone": null}});
    let reply = bench.call(json!({"method": "t_everything", "params": sent})).await;
    assert_eq!(data(&reply)["page"], page);
    assert_eq!(data(&reply)["vars"], json!({}));
    assert!(data(&reply).get("factor").is_none());
    let (id, ..) = bench.task();
    let bare = bench.call(request(id, "t_page_value", json!({"result": null}))).await;
    assert!(data(&bare).get("result").is_none());

    let keeping = Bench::with(|config| config.json.skip_null = false);
    let reply = keeping.call(json!({"method": "t_everything", "params": sent})).await;
    assert_eq!(
        (&data(&reply)["factor"], &data(&reply)["vars"]),
        (&json!(null), &json!({"gone": null}))
    );
}

#[tokio::test]
async fn records_answer_without_a_browser() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::start(service::config::Config::defaults(dir.path(), None)).unwrap();
    let read = |outgoing: service::Outgoing| serde_json::from_slice::<serde_json::Value>(&outgoing.body).unwrap();
    let methods = read(service.run_admin("list_methods", Language::En).await);
    let (built, planned) = (&methods["data"]["methods"], &methods["data"]["planned"]);
    assert_eq!(built.as_array().unwrap().len() + planned.as_array().unwrap().len(), 122);
    assert_eq!(methods["data"]["total"], 122);
    assert!(
        methods["data"]["extras"]
            .as_array()
            .unwrap()
            .contains(&json!("commands"))
    );
    let tasks = read(service.run_admin("list_tasks", Language::En).await);
    assert_eq!(
        (&tasks["data"]["count"], &tasks["data"]["tasks"]),
        (&json!(0), &json!([]))
    );
    let config = read(service.run_admin("get_config", Language::En).await);
    assert_eq!(config["data"]["command"]["maxPerBatch"], 200);
    assert!(!config.to_string().contains("token"));
    let health = read(service.health());
    assert_eq!(health["data"]["pid"], std::process::id());
    assert_eq!(health["data"]["port"], 10049);
}
