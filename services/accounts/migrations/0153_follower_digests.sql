-- expand: digests of the followers of accounts that have very many, moved with each follow so that nobody counts them anew

-- A row means that the digests of this account are kept. Made by the job `keep-digests`; goes with the account.
create table digested_accounts (
  account_id bigint primary key references accounts on delete cascade
);
-- One row for each server that followers of such an account live on, or lived; rows go with the account.
create table follower_digests (
  account_id bigint not null references accounts on delete cascade,
  -- what stands before the path of the actor ids
  origin text not null,
  -- XOR of the SHA-256 of the actor ids
  bits bit(256) not null,
  followers integer not null,
  primary key (account_id, origin)
);
