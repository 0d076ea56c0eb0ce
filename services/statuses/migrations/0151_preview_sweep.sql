-- expand: how far the tick `forget-previews` has come through old pages, so that one run looks at a bounded number of them

-- One row, never deleted. Pages are looked at in the order in which they were read; after the last one it begins anew.
create table preview_sweep (
  after_at timestamptz not null,
  after_id bigint not null
);
insert into preview_sweep (after_at, after_id) values ('-infinity', 0);
