//! Closed shadow roots: a script cannot see them, the protocol can. Asked about only where the walk met elements that may
//! host one, and once for each of them.

use cdp::protocol::{dom, runtime};
use futures_util::future::join_all;

use crate::deadline::Deadline;
use crate::error::{EngineError, Result};
use crate::frames::Frame;
use crate::script::argument;
use crate::state::{PageSnapshot, SnapshotArgs};
use crate::tab::Tab;

/// Closed roots inside closed roots that are followed.
const ROUNDS: usize = 4;

/// Objects of a frame's isolated world, held for us by the browser until they are let go as a group.
pub(crate) struct Handles {
    /// One per element asked for; `None` for one that is gone.
    pub(crate) ids: Vec<Option<String>>,
    group: String,
}

impl Tab {
    /// One walk of a frame, with the closed shadow roots that it can be shown.
    pub(super) async fn snapshot(
        &self,
        frame: &Frame,
        mut args: SnapshotArgs,
        deadline: Deadline,
    ) -> Result<PageSnapshot> {
        let listeners = self.learn_listeners(frame, deadline).await;
        let mut taken: PageSnapshot = self.script(frame, "snapshot", &args, deadline).await?;
        for _ in 0..ROUNDS {
            // Not being able to look into closed roots is no reason to read nothing.
            if taken.hosts == 0 || self.adopt_closed_roots(frame, deadline).await.unwrap_or(0) == 0 {
                break;
            }
            args.again = true;
            taken = self.script(frame, "snapshot", &args, deadline).await?;
        }
        taken.listeners = listeners;
        Ok(taken)
    }

    /// Makes the closed roots of possible hosts known to the page script; says how many there were.
    async fn adopt_closed_roots(&self, frame: &Frame, deadline: Deadline) -> Result<usize> {
        let hosts = self
            .handles(frame, "takeHosts", &serde_json::Value::Null, deadline)
            .await?;
        let adopted = join_all(hosts.ids.iter().flatten().map(|host| self.adopt(frame, host, deadline))).await;
        self.let_go(frame, hosts);
        Ok(adopted
            .into_iter()
            .filter(|adopted| matches!(adopted, Ok(true)))
            .count())
    }

    async fn adopt(&self, frame: &Frame, host: &str, deadline: Deadline) -> Result<bool> {
        let describe = dom::DescribeNode {
            object_id: Some(host.to_owned()),
            ..Default::default()
        };
        let node = self.call_on(&frame.session, describe, deadline).await?.node;
        let roots = node.shadow_roots.unwrap_or_default();
        let closed = roots
            .iter()
            .find(|root| root.shadow_root_type.as_deref() == Some("closed"));
        let Some(closed) = closed else { return Ok(false) };
        let root = self.node_in_world(frame, closed.backend_node_id, deadline).await?;
        let adopt = runtime::CallFunctionOn {
            function_declaration: "function () { __dsb.adoptRoot(this); }".into(),
            object_id: Some(root.clone()),
            ..Default::default()
        };
        let adopted = self.call_on(&frame.session, adopt, deadline).await?;
        self.release(&frame.session, &root);
        Ok(adopted.exception_details.is_none())
    }

    /// Handles of the objects in the array that a function of the page script's door gives.
    pub(crate) async fn handles(
        &self,
        frame: &Frame,
        name: &str,
        arg: &(impl serde::Serialize + Sync),
        deadline: Deadline,
    ) -> Result<Handles> {
        let group = format!("dsb-{name}-{}", frame.id);
        let call = runtime::CallFunctionOn {
            function_declaration: "(name, arg) => __dsb[name](arg)".into(),
            execution_context_id: Some(self.world(frame, deadline).await?),
            arguments: Some(vec![argument(name)?, argument(arg)?]),
            object_group: Some(group.clone()),
            ..Default::default()
        };
        let reply = self.call_on(&frame.session, call, deadline).await?;
        if let Some(thrown) = reply.exception_details {
            return Err(EngineError::Script(crate::script::thrown_error(&thrown)));
        }
        let array = reply.result.object_id.ok_or(EngineError::Navigating)?;
        let members = runtime::GetProperties {
            object_id: array,
            own_properties: Some(true),
            ..Default::default()
        };
        let members = self.call_on(&frame.session, members, deadline).await?.result;
        let mut ids: Vec<(usize, Option<String>)> = members
            .into_iter()
            .filter_map(|member| {
                Some((
                    member.name.parse().ok()?,
                    member.value.and_then(|value| value.object_id),
                ))
            })
            .collect();
        ids.sort_by_key(|(at, _)| *at);
        let ids = ids.into_iter().map(|(_, id)| id).collect();
        Ok(Handles { ids, group })
    }

    /// Lets handles go.
    pub(crate) fn let_go(&self, frame: &Frame, handles: Handles) {
        frame.session.notify(runtime::ReleaseObjectGroup {
            object_group: handles.group,
        });
    }
}
