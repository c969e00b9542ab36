//! What the service is and has.

mod get_config;
mod list_methods;
mod list_tasks;

pub use get_config::GetConfig;
pub use list_methods::ListMethods;
pub use list_tasks::ListTasks;
