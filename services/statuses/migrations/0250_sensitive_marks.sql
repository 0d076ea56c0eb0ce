-- expand: statuses that staff marked as sensitive

-- A row is deleted when its decision is undone.
create table sensitive_marks (
  status_id bigint not null,
  -- names the decision
  mark text not null,
  primary key (status_id, mark)
);
