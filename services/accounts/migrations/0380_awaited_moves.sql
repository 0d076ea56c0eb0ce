-- expand: new accounts of moved accounts that are not stored, so that an account counts as moved only if its new account is known

-- Deleted when the new account is stored, when the account does not name it any longer, and with the account.
create table awaited_moves (
  account_id bigint primary key references accounts (id) on delete cascade,
  -- Address of the new account: its id, or its page.
  uri text not null
);
create index awaited_moves_uri on awaited_moves (uri);
