-- expand: where remote people list their hashtags, suggestions that were put away, and whom many people follow

-- The collection of featured hashtags, as the remote profile names it.
alter table accounts add column featured_tags_url text;

-- Goes with either account.
create table suggestion_dismissals (
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  primary key (account_id, target_id)
);
create index suggestion_dismissals_to on suggestion_dismissals (target_id);

-- Whom many follow, the first place first; the tick `recommend-accounts` makes it anew.
create table recommended_accounts (
  place integer primary key,
  account_id bigint not null references accounts on delete cascade
);
create index recommended_accounts_account on recommended_accounts (account_id);
