-- expand: mails on their way, notifications that wait to be written about, and what people want

-- One row for each mail; goes two weeks after it was made.
create table mails (
  id bigint primary key,
  -- what it is about; one mail for each
  source text not null unique,
  kind text not null check (kind in ('letter', 'strike', 'archive', 'news')),
  -- account id; 0 for letters, whose address accounts tells
  recipient_id bigint not null,
  facts jsonb not null default '{}',
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mails_recipient on mails (recipient_id);
create index mails_created_at on mails (created_at);

-- Notifications that their recipient will be written about; go with the mail, or when there is nothing left to say.
create table mail_news (
  notification_id bigint primary key,
  recipient_id bigint not null,
  due_at timestamptz not null
);
create index mail_news_due_at on mail_news (due_at);
create index mail_news_recipient on mail_news (recipient_id);

-- Goes with the account; who has no row never chose.
create table mail_choices (
  account_id bigint primary key,
  types text[] not null,
  always boolean not null,
  daily boolean not null
);
