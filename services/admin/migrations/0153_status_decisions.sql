-- expand: statuses that staff marked as sensitive, by the decision that was made last

-- Statuses are brought there by a job. Overwritten, never deleted.
create table status_decisions (
  status_id bigint primary key,
  -- null after an undo
  strike_id bigint,
  sensitive boolean not null
);
