-- expand: how much was written here on each day that is over, so that nobody counts all of it to say how much it is

-- Counted anew once a day by the tick `count-days`.
create table counted_days (
  day date primary key,
  written int not null,
  replies int not null,
  counted_at timestamptz not null
);
