-- expand: addresses that led to the new accounts of moved accounts, so that a move stays while the document of the old account names it unchanged

-- Deleted when the document of the account names another new account, or none, and with the account.
create table move_addresses (
  account_id bigint primary key references accounts (id) on delete cascade,
  -- Address that the document names: a page of the new account, or a redirect to it.
  address text not null,
  -- Actor id of the new account.
  target_uri text not null
);
