-- expand: mails about scheduled statuses that could not be published
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check
  check (kind in ('letter', 'strike', 'archive', 'news', 'trends', 'terms', 'unpublished')) not valid;
