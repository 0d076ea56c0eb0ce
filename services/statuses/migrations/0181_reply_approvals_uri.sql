-- expand: the approval of an answer is found by its address, by which its author takes it back
create index concurrently if not exists reply_approvals_uri on reply_approvals (uri);
