-- expand: the next proved approvals of answers to a status
create index concurrently if not exists reply_approvals_proved on reply_approvals (answered_id, turn)
  where proved_at is not null;
