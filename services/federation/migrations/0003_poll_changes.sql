-- expand: polls of ours whose numbers changed and are told about a moment later

-- The tick `tell-polls` deletes the rows.
create table poll_changes (
  status_id bigint primary key,
  seq bigint not null,
  changed_at timestamptz not null,
  due_at timestamptz not null,
  -- where those who voted from elsewhere are, beside everybody who got the status
  inboxes text[] not null default '{}'
);
create index poll_changes_due_at on poll_changes (due_at);
