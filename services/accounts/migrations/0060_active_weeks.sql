-- expand: in which weeks people were here, for the weekly figures of the server

-- Written once a day and person at most; the tick `forget-weeks` deletes what is older than half a year.
create table active_weeks (
  -- the Monday, UTC
  week date not null,
  user_id bigint not null references users on delete cascade,
  primary key (week, user_id)
);
create index active_weeks_of on active_weeks (user_id);
