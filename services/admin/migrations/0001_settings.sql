-- expand: settings, the revision of the published policy, rules, and the record of what staff did

-- One row per setting that is not at its default; texts of pages too. Never deleted, only overwritten.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null
);

-- One row. Whoever changes anything that is published raises it first, so that changes come one after another.
create table policy_revision (
  only_one boolean primary key default true check (only_one),
  revision bigint not null
);
insert into policy_revision (revision) values (1);

-- Marked when taken away and kept, because reports name them.
create table rules (
  id bigint primary key,
  text text not null,
  hint text not null default '',
  -- {language: {text, hint}}
  translations jsonb not null default '{}',
  priority integer not null default 0,
  created_at timestamptz not null,
  removed_at timestamptz
);

-- Kept for ever: it is the evidence.
create table audit_log (
  id bigint primary key,
  -- null for operators
  actor_id bigint,
  action text not null,
  target_id text,
  target text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null
);
