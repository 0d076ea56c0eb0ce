-- expand: authors of other servers who are suspended, and when what they wrote is erased

-- Found by the tick `erase-suspended`; goes when the suspension is lifted, or with the account.
create table suspended_authors (
  author_id bigint primary key,
  domain text not null,
  since timestamptz not null,
  -- looked at then; null once the work has begun
  due_at timestamptz
);
create index suspended_authors_due on suspended_authors (due_at) where due_at is not null;
