#[derive(Debug, Default)] pub struct IndexTable;
