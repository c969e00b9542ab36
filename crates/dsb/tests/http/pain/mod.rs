//! What users of such tools complain of most, each complaint driven the way it was made. A test bears the number of its
//! row in the project's list of complaints.

mod frames;
mod refs;
mod tokens;
