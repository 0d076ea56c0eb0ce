-- expand: all suspended accounts with the same blocked e-mail address, so that it stays blocked until none of them is suspended

-- Deleted when the suspension of the account is lifted. Rows of deleted accounts stay, like the block.
create table canonical_email_holders (
  canonical_email_hash text not null,
  account_id bigint not null,
  primary key (canonical_email_hash, account_id)
);
create index canonical_email_holders_account on canonical_email_holders (account_id);
insert into canonical_email_holders (canonical_email_hash, account_id)
  select canonical_email_hash, account_id from canonical_email_blocks where account_id is not null;
