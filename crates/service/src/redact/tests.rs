//! What is masked, and as important, what is not.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::config::Config;

fn rules(change: impl FnOnce(&mut TraceConfig)) -> Redactor {
    let mut config = Config::defaults("/srv/app", None).trace;
    change(&mut config);
    Redactor::new(&config)
}

fn redacted(mut value: Value) -> Value {
    rules(|_| {}).redact_value(&mut value);
    value
}

#[test]
fn personal_numbers_and_mail_are_masked_in_any_text() {
    let rules = rules(|_| {});
    for (text, masked) in [
        ("tel 13800138000.", "tel ***."),
        ("tel13800138000x", "tel***x"),
        ("+8613800138000", "+***"),
        ("证件11010119900307888X号", "证件***号"),
        ("11010119900307888x", "***"),
        ("110101199003078888", "***"),
        ("统一代码91110108MA01ABCD1X", "统一代码***"),
        ("card 6222021234567890123", "card ***"),
        ("a.b+c@mail.example.com!", "***!"),
        ("13800138000 13900139000", "*** ***"),
    ] {
        assert_eq!(rules.redact_text(text), masked, "{text}");
    }
}

#[test]
fn other_numbers_and_words_stay() {
    let rules = rules(|_| {});
    for text in [
        "12800138000",
        "138001380001",
        "1700000000000",
        "order 20240131",
        "123456789012345",
        "12345678901234567890",
        "91110108MA01ABCD1",
        "ABCDEFGHJKLMNPQRTU",
        "user@host",
        "the password field",
        "basic knowledge of it",
        "",
    ] {
        assert!(matches!(rules.redact_text(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn ids_of_the_product_stay_and_the_same_number_from_a_page_does_not() {
    let id = "1936000000000000001";
    let value = redacted(json!({
        "id": id,
        "data": {
            "id": id, "jobId": format!("job-{id}"), "screenshot": format!("/data/{id}/1.png"),
            "tasks": [{ "id": id }], "result": { "id": "110101199003078888" }, "text": id,
            "requestId": "13800138000 is not id-shaped",
        }
    }));
    assert_eq!(
        value,
        json!({
            "id": id,
            "data": {
                "id": id, "jobId": format!("job-{id}"), "screenshot": format!("/data/{id}/1.png"),
                "tasks": [{ "id": id }], "result": { "id": "***" }, "text": "***",
                "requestId": "*** is not id-shaped",
            }
        })
    );
    let text = format!("no task {id}");
    assert_eq!(
        rules(|_| {}).redact_text_known(
            &text,
            Known {
                ids: &[id],
                secrets: &[]
            }
        ),
        text
    );
}

#[test]
fn secrets_are_masked_by_their_place() {
    let value = redacted(json!({
        "method": "commands",
        "params": { "commands": [
            { "command": "set_credentials", "params": { "username": "me", "password": "p" } },
            { "method": "set_cookie", "params": { "name": "n", "value": "v", "domain": "d" } },
        ]},
        "data": {
            "cookies": [{ "name": "n", "value": "v" }],
            "headers": { "Authorization": "x", "Set-Cookie": ["a=b"], "accept": "y" },
            "list": [{ "name": "X-Api-Key", "value": "k" }, { "name": "other", "value": "o" }],
            "fields": [{ "type": "password", "value": "p" }],
            "base64": "QUJD", "body": "QUJD", "base64Encoded": true, "base64Omitted": true,
            "access_token": 123, "password": true,
        }
    }));
    assert_eq!(
        value,
        json!({
            "method": "commands",
            "params": { "commands": [
                { "command": "set_credentials", "params": { "username": "me", "password": "***" } },
                { "method": "set_cookie", "params": { "name": "n", "value": "***", "domain": "d" } },
            ]},
            "data": {
                "cookies": [{ "name": "n", "value": "***" }],
                "headers": { "Authorization": "***", "Set-Cookie": ["***"], "accept": "y" },
                "list": [{ "name": "X-Api-Key", "value": "***" }, { "name": "other", "value": "o" }],
                "fields": [{ "type": "password", "value": "***" }],
                "base64": "(base64, 4 characters)", "body": "(base64, 4 characters)", "base64Encoded": true,
                "base64Omitted": true, "access_token": "***", "password": true,
            }
        })
    );
}

#[test]
fn secrets_are_masked_inside_texts() {
    let rules = rules(|config| config.redact_enabled = false);
    for (text, masked) in [
        (
            r#"{"user":"me","password":"a\"b c"}"#,
            r#"{"user":"me","password":"***"}"#,
        ),
        (r#"{\"password\":\"abc\",\"n\":1}"#, r#"{\"password\":\"***\",\"n\":1}"#),
        (
            r#"{\"password\":\"a\\\"b\\n\",\"n\":1}"#,
            r#"{\"password\":\"***\",\"n\":1}"#,
        ),
        (r#"cut here: "password":"abc d"#, r#"cut here: "password":"***""#),
        ("user=me&password=abc&x=1", "user=me&password=***&x=1"),
        ("https://a/b?access_token=abc#x", "https://a/b?access_token=***"),
        ("Authorization: Bearer abc.def", "Authorization: ***"),
        ("sent Bearer abcdefghijklmnopqrst now", "sent Bearer *** now"),
        ("https://me:hunter2@host/x", "https://me:***@host/x"),
        (
            "src=data:image/png;base64,iVBORw0K end",
            "src=data:image/png;base64,(base64, 8 characters) end",
        ),
        ("13800138000", "13800138000"),
    ] {
        assert_eq!(rules.redact_text(text), masked, "{text}");
    }
    let payload = "aB3".repeat(100);
    assert_eq!(rules.redact_text(&payload), "(base64, 300 characters)");
}

#[test]
fn typed_passwords_are_masked_wherever_they_come_back() {
    let secrets = ["hunter2".to_owned(), "1".to_owned()];
    let mut value = json!({ "params": { "text": "hunter2", "index": 1 }, "msg": "typed hunter2 in 1", "short": "1" });
    rules(|_| {}).redact_known(
        &mut value,
        Known {
            ids: &[],
            secrets: &secrets,
        },
    );
    assert_eq!(
        value,
        json!({ "params": { "text": "***", "index": 1 }, "msg": "typed *** in 1", "short": "***" })
    );
}

#[test]
fn own_patterns_and_mask_are_used() {
    let rules = rules(|config| {
        config.redact_extra.0 = vec!["(".into(), r"C-\d+".into()];
        config.redact_mask = "[x]".into();
    });
    assert_eq!(rules.redact_text("case C-12, 13800138000"), "case [x], [x]");
}

proptest! {
    #[test]
    fn any_text_is_survived_and_a_second_pass_changes_nothing(text in ".{0,80}") {
        let rules = rules(|_| {});
        let once = rules.redact_text(&text).into_owned();
        prop_assert_eq!(rules.redact_text(&once).into_owned(), once.clone());
    }

    #[test]
    fn a_mobile_number_never_survives_between_other_characters(
        before in "[^0-9]{0,10}", number in "1[3-9][0-9]{9}", after in "[^0-9]{0,10}",
    ) {
        prop_assume!(!before.ends_with("data/") && !before.ends_with("data\\"));
        let text = format!("{before}{number}{after}");
        let rules = rules(|_| {});
        prop_assert!(!rules.redact_text(&text).contains(&number));
    }

    #[test]
    fn keys_and_shape_stay(key in "[a-z]{1,8}", number in "[0-9]{16,19}") {
        let value = redacted(json!({ &number: [{ &key: &number }] }));
        prop_assert!(value.get(&number).is_some());
        prop_assert!(value[&number][0].get(&key).is_some());
    }
}
