//! Whatever arrives, the message reader neither fails nor depends on how it was cut.

use agon_originals::relay::{Garbage, Message, MessageReader};
use agon_rules::conformance::on_damaged;

use super::support::{init, message, normal, read_log};

fn read_in_pieces(text: &str, size: usize) -> (Vec<Message>, Option<Garbage>) {
    let mut reader = MessageReader::default();
    let mut found = Vec::new();
    for piece in text.as_bytes().chunks(size.max(1)) {
        reader.add(piece);
        loop {
            match reader.next_message() {
                Ok(Some(received)) => found.push(received.message),
                Ok(None) => break,
                Err(garbage) => return (found, Some(garbage)),
            }
        }
    }
    (found, None)
}

#[test]
fn damaged_messages_are_read_or_refused_however_they_are_cut() {
    let mut texts: Vec<String> = read_log("yinsh-server-invalid.log").into_iter().map(|logged| logged.raw).collect();
    texts.push(format!("{}{}", init("2 5 150 5"), normal("P 0 0")));
    texts.push(message("FINISH", "é \\\"\\u00e9 \\\\", "{[") + "\n");
    on_damaged(&texts, "{}[]\"\\:, \nuaé01", |text| {
        let (whole, refused) = read_in_pieces(text, text.len());
        for size in [1, 2, 7] {
            let (found, garbage) = read_in_pieces(text, size);
            assert_eq!((found, garbage.is_some()), (whole.clone(), refused.is_some()), "{text:?} in pieces of {size}");
        }
        for message in whole {
            let again = read_in_pieces(&message.to_string(), 3);
            assert_eq!(again, (vec![message.clone()], None));
            assert!(message.to_string().is_ascii() && message.fits());
        }
    });
}
