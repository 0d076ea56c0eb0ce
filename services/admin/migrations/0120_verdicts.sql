-- expand: final decisions of staff about accounts: approved, rejected, deleted

-- One row per account and verdict, so that it is decided and logged once. A job brings accounts there. Never deleted.
create table verdicts (
  account_id bigint not null,
  verdict text not null check (verdict in ('approve', 'reject', 'delete')),
  -- null for operators
  by_account_id bigint,
  decided_at timestamptz not null,
  primary key (account_id, verdict)
);
