-- expand: appeals against strikes, strikes for statuses, and the decision that each strike caused

alter table strikes
  add column overruled_at timestamptz,
  -- stamp of the decision that the action caused; null if it caused none
  add column stamp text,
  drop constraint strikes_action_check,
  add constraint strikes_action_check check (action in
    ('none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend')) not valid;

-- Never deleted, like the strikes.
create table appeals (
  id bigint primary key,
  strike_id bigint not null unique references strikes,
  text text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  created_at timestamptz not null,
  decided_at timestamptz,
  -- null for operators
  decided_by_account_id bigint
);
create index appeals_by_state on appeals (state, id);
