-- expand: which status quotes which and how that stands, and the approvals that authors here gave to quotes elsewhere
alter table statuses add column has_quote boolean not null default false;

-- One row for each status that quotes; it goes with that status.
create table quotes (
  status_id bigint primary key,
  -- the order of lists, and the number in the address of an approval between people here
  id bigint not null unique,
  author_id bigint not null,
  -- null while the quoted status is not here, and when it was gone from the beginning
  quoted_id bigint,
  quoted_author_id bigint,
  -- of a remote status that is not here yet
  quoted_uri text,
  -- 0 pending, 1 accepted, 2 rejected, 3 revoked
  state smallint not null,
  -- named only in fields from before approvals: hidden unless approved
  legacy boolean not null default false,
  -- address of the approval that was proved; before that, the one that is claimed
  stamp_uri text,
  checked_at timestamptz
);
create index quotes_quoted on quotes (quoted_id, id desc) where state = 1;
create index quotes_stamp on quotes (stamp_uri) where stamp_uri is not null;

-- Approvals for statuses elsewhere that quote somebody here; rows go with the quoted status.
create table quote_stamps (
  id bigint primary key,
  quoted_id bigint not null,
  quoted_author_id bigint not null,
  quoting_uri text not null,
  quoting_author_id bigint not null,
  revoked_at timestamptz,
  unique (quoted_id, quoting_uri)
);
