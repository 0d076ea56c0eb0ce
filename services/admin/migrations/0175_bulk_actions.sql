-- expand: bulk actions of staff, with the items that each selected

-- The id is also that of the task, and the batch of the entries in the audit log. Rows go after 90 days, by the tick `forget-bulk-actions`.
create table bulk_actions (
  id bigint primary key,
  noun text not null,
  action text not null,
  reason text,
  notify boolean not null,
  -- The account that started it, with its permissions and position; null for operators.
  started_by jsonb,
  -- The batch that it undoes.
  undoes bigint,
  found integer not null,
  created_at timestamptz not null
);
create index bulk_actions_undoes on bulk_actions (undoes) where undoes is not null;
create index bulk_actions_created on bulk_actions (created_at);

-- The selection, fixed when the action starts.
create table bulk_action_items (
  bulk_action_id bigint not null references bulk_actions on delete cascade,
  target_id bigint not null,
  -- The item in words, known when it was looked at.
  target text,
  -- `changed` or the reason why it did not change; null while it waits.
  outcome text,
  -- True before another service is asked to change it.
  begun boolean not null default false,
  primary key (bulk_action_id, target_id)
);
