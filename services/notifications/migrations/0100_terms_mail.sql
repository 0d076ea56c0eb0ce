-- expand: mails that tell of new terms of service
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('letter', 'strike', 'archive', 'news', 'trends', 'terms')) not valid;
