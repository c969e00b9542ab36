#[test] fn dump() { for d in service::registry::registry().all() { println!("{} {}", d.name, serde_json::to_string(&d.output_schema).unwrap()); } }
