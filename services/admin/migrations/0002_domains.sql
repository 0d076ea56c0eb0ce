-- expand: servers that staff blocks, and those it allows under limited federation

-- Deleted by staff. The moment it was made is the stamp on every account it touched.
create table domain_blocks (
  id bigint primary key,
  -- ASCII, lower case
  domain text not null unique,
  severity text not null check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  private_comment text,
  public_comment text,
  obfuscate boolean not null default false,
  created_at timestamptz not null
);

-- Deleted by staff.
create table domain_allows (
  id bigint primary key,
  domain text not null unique,
  created_at timestamptz not null
);
