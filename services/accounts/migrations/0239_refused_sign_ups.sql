-- expand: how many sign-ups a blocked e-mail domain affected

-- One row per domain, day and network. Deleted by the tick `forget-refused-sign-ups` after a week.
create table refused_sign_ups (
  -- the domain of the block
  domain text not null,
  -- UTC
  day date not null,
  -- the address, or the /64 of IPv6
  network inet not null,
  uses integer not null,
  primary key (domain, day, network)
);
create index refused_sign_ups_day on refused_sign_ups (day);
