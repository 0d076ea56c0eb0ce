-- expand: terms of service, each from a day on

-- Few, kept for ever: people agreed to them.
create table terms_of_service (
  effective_date date primary key,
  -- Markdown
  text text not null,
  published_at timestamptz not null
);
