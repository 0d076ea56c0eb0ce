-- expand: answers of other servers wait for the approval of whom they answer, too

-- `asks`: it lacks an approval of its own, and does not only wait with what it answers.
-- `push`: it goes into feeds and notifications when it is let go.
alter table held_replies add column asks boolean not null default false, add column push boolean not null default true;

-- When the approval was read last; null for one that a remote answer claims and that nobody has read yet.
alter table reply_approvals add column proved_at timestamptz default now();

-- Approvals that were told before the answer came. Taken by the answer, and forgotten after a month.
create table early_approvals (
  status_uri text not null,
  -- who is answered
  author_id bigint not null,
  uri text not null,
  at timestamptz not null default now(),
  primary key (status_uri, author_id)
);
create index early_approvals_at on early_approvals (at);
