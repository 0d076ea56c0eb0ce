-- expand: approvals that authors elsewhere gave to answers of people here; other servers ask for them (interactionPolicy)

-- Goes with the answer.
create table reply_approvals (
  status_id bigint primary key,
  uri text not null
);
