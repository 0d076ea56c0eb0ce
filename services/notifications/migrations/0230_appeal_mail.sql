-- expand: mails about appeals against strikes
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in
    ('letter', 'strike', 'archive', 'news', 'trends', 'terms', 'unpublished', 'appeal', 'appeal-decided')) not valid;
