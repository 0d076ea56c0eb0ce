-- expand: versions of the pins of remote accounts, so that a list that was fetched before a later pin does not replace it

-- Deleted with the pins of a removed account.
create table pin_versions (
  account_id bigint primary key,
  -- Increases with each pin, unpin and fetched list.
  version bigint not null
);
