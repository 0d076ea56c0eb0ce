-- expand: filters that people bring along, and what is wrong with a row where more can be said than that it failed
alter table imports drop constraint imports_kind_check,
  add constraint imports_kind_check
  check (kind in ('follows', 'blocks', 'mutes', 'domain_blocks', 'lists', 'bookmarks', 'filters')) not valid;
alter table import_rows add column problem text;
