-- expand: applications, tokens, authorization codes and browser sessions; secrets only as digests

-- Kept for ever, as clients register once.
create table applications (
  id bigint primary key,
  client_id text not null unique,
  secret_hash bytea not null,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text[] not null,
  -- consent is never asked for
  trusted boolean not null default false,
  created_at timestamptz not null
);

-- Revoked ones go 30 days after, so that a client learns why it was refused.
create table access_tokens (
  id bigint primary key,
  application_id bigint not null references applications on delete cascade,
  user_id bigint references users on delete cascade,
  scopes text[] not null,
  hash bytea not null unique,
  -- the value is made from this and a key outside the database, so that one grant always gives the same value
  nonce bytea not null,
  -- made for an operator; never given out again for a grant
  by_operator boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index access_tokens_grant on access_tokens (user_id, application_id) where revoked_at is null;
create index access_tokens_application on access_tokens (application_id) where user_id is null and revoked_at is null;
create index access_tokens_revoked_at on access_tokens (revoked_at) where revoked_at is not null;

-- Go a day after they ran out; used ones stay until then, so that a second use is noticed.
create table authorization_codes (
  hash bytea primary key,
  application_id bigint not null references applications on delete cascade,
  user_id bigint not null references users on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  challenge text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  token_id bigint
);
create index authorization_codes_expires_at on authorization_codes (expires_at);

-- Signed-in browsers; go when they ran out.
create table sessions (
  id bigint primary key,
  user_id bigint not null references users on delete cascade,
  hash bytea not null unique,
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null,
  used_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_used_at on sessions (used_at);
