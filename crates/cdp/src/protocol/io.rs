//! The domain `IO`: reading streams, such as a document printed with `transfer_mode` `ReturnAsStream`.

use super::Empty;

protocol! {
    domain "IO";

    command Read = "read" { handle: String, offset: Option<i64>, size: Option<i64> } -> ReadReply {
        base64_encoded = "base64Encoded": Option<bool>,
        data: String,
        eof: bool,
    }
    command Close = "close" { handle: String } -> Empty
}
