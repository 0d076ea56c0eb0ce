-- expand: e-mail addresses that nobody signs up with, however they are written

-- Deleted by staff, and when the account whose address it was is suspended no longer. The address itself is not kept.
create table canonical_email_blocks (
  id bigint primary key,
  -- SHA-256 in hex of the address in lower case, without dots in its local part and without what follows a plus
  canonical_email_hash text not null unique check (canonical_email_hash ~ '^[0-9a-f]{64}$'),
  -- the suspended account; null where staff named the address
  account_id bigint,
  created_at timestamptz not null
);
create index canonical_email_blocks_account on canonical_email_blocks (account_id) where account_id is not null;
