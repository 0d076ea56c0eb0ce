-- expand: the next approvals that answers to a status claim
create index concurrently if not exists reply_approvals_claimed on reply_approvals (answered_id, turn) where proved_at is null;
