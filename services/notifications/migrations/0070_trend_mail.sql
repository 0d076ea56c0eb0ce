-- expand: mails that ask staff to look at what trends
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('letter', 'strike', 'archive', 'news', 'trends')) not valid;
