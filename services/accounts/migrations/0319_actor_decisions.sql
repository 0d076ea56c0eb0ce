-- expand: limits, marks and exemptions of remote accounts that were removed, so that they apply when they are stored again

-- Deleted when the account is stored again, and when the domain block that limited it is removed. Suspensions: suspended_actors.
create table actor_decisions (
  uri text primary key,
  -- The domain of the handle.
  domain text not null,
  silenced_at timestamptz,
  -- Like accounts.silenced_by; without silenced_at, an exemption from domain rules.
  silenced_by text,
  sensitized_at timestamptz
);
create index actor_decisions_stamp on actor_decisions (silenced_by) where silenced_by is not null;
