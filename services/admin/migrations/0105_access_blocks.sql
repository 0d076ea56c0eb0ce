-- expand: who may not come in: addresses, e-mail providers, user names

-- Deleted by staff, and by the tick `forget-blocks` once they ran out.
create table ip_blocks (
  id bigint primary key,
  ip cidr not null unique,
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null default '',
  -- null for ever
  expires_at timestamptz,
  created_at timestamptz not null
);
create index ip_blocks_expires_at on ip_blocks (expires_at) where expires_at is not null;

-- Deleted by staff. Also for everything below the domain, and for addresses whose mail host it is.
create table email_domain_blocks (
  id bigint primary key,
  -- ASCII, lower case
  domain text not null unique,
  allow_with_approval boolean not null default false,
  created_at timestamptz not null
);

-- Deleted by staff.
create table username_blocks (
  id bigint primary key,
  -- lower case
  username text not null unique,
  -- false: any name that contains it
  exact boolean not null,
  allow_with_approval boolean not null default false,
  created_at timestamptz not null
);
