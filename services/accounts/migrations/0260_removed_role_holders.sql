-- expand: the holders of removed roles, so that staff can undo the removal

-- Written with the removal of a role, deleted with its undo. Holders that got another role meanwhile keep that.
create table removed_role_holders (
  role_id bigint not null,
  user_id bigint not null references users on delete cascade,
  primary key (role_id, user_id)
);
create index removed_role_holders_user on removed_role_holders (user_id);
