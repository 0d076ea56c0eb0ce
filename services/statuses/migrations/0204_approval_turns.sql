-- expand: approvals of answers to one status are read again by turns, so that many from one server keep nobody else's waiting
alter table reply_approvals
  -- What is answered, once that is here, and the server of the answer, empty for answers by people here. The tick `place-approvals`
  -- fills both where no host was noted.
  add column answered_id bigint, add column host text,
  -- The lowest is read next: how many of its server waited before it, and how often it was read again since.
  add column turn integer not null default 0;
