-- expand: activities for followers say so where they arrive, and settled ones keep how many servers they went to

-- For followers alone: servers that get it are told whom of theirs we count among them.
alter table activities add column for_followers boolean not null default false;
-- Servers it went to, once its rows of the ledger were folded.
alter table activities add column hosts integer;
