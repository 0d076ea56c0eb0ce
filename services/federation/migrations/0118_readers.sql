-- expand: servers that read a status without having been sent it, who hear when it is deleted

-- Goes when the end of the status is told.
create table readers (
  status_id bigint not null,
  inbox_id bigint not null,
  primary key (status_id, inbox_id)
);
