-- expand: removed announcements and webhooks stay as rows, so that staff can undo the removal

-- Announcements keep their reactions.
alter table announcements add column removed_at timestamptz;
-- Removed webhooks are deleted after 30 days by the tick `forget-webhook-deliveries`, with their secrets.
alter table webhooks add column removed_at timestamptz;

-- Parts of states that the audit log must not show, for undo. Deleted after 30 days by the same tick.
create table audit_hidden (
  entry_id bigint primary key,
  before jsonb,
  after jsonb,
  created_at timestamptz not null
);
create index audit_hidden_created on audit_hidden (created_at);
