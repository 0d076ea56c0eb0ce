-- expand: direct conversations, one row for each person, thread and set of others
create table conversations (
  id bigint primary key,
  account_id bigint not null,
  thread_id bigint not null,
  -- the others, sorted; empty when somebody writes to themselves
  participants bigint[] not null,
  -- stands for them in the index, which could not hold hundreds of people
  participants_key text not null,
  last_status_id bigint not null,
  unread boolean not null,
  unique (account_id, thread_id, participants_key)
);
create index conversations_account on conversations (account_id, last_status_id desc);

-- Rows go with their status, with the conversation, or with the account; a conversation without any goes too.
create table conversation_statuses (
  conversation_id bigint not null references conversations on delete cascade,
  status_id bigint not null,
  account_id bigint not null,
  primary key (conversation_id, status_id)
);
create index conversation_statuses_status on conversation_statuses (status_id);
create index conversation_statuses_account on conversation_statuses (account_id, status_id desc);
