-- expand: second factors, steps and history of signing in, and logins elsewhere

-- The app that makes somebody's codes. Goes with the login, or when they turn it off.
create table one_time_codes (
  user_id bigint primary key references users on delete cascade,
  secret_sealed text not null,
  created_at timestamptz not null,
  -- null until a code proved that the app has the secret
  confirmed_at timestamptz,
  -- the time step of the last code that was taken; none up to it is taken again
  last_step bigint not null default 0
);

-- Each is deleted by its use; all go with the last second factor.
create table backup_codes (
  user_id bigint not null references users on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

-- Passkeys and security keys. Go with the login, or when the person removes them.
create table security_keys (
  id bigint primary key,
  user_id bigint not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index security_keys_user on security_keys (user_id);

-- What stands between the beginning of a sign-in or a registration and its end; taken once, and gone after minutes.
create table sign_in_steps (
  hash bytea primary key,
  kind text not null check (kind in ('factor', 'key', 'provider', 'identity')),
  user_id bigint references users on delete cascade,
  -- what the next step needs to know, sealed
  data_sealed text not null,
  -- the question to a passkey, until it was answered once
  challenge text,
  tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_steps_expires_at on sign_in_steps (expires_at);

-- Who tried to sign in and how it went; shown to the person. Go with the login, and after a quarter of a year.
create table sign_in_attempts (
  id bigint primary key,
  user_id bigint not null references users on delete cascade,
  method text not null check (method in ('password', 'code', 'backup-code', 'key', 'provider')),
  succeeded boolean not null,
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null
);
create index sign_in_attempts_user on sign_in_attempts (user_id, id);
create index sign_in_attempts_created_at on sign_in_attempts (created_at);

-- Logins at other providers that open a login here. Go with the login.
create table identities (
  provider text not null,
  subject text not null,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (provider, subject)
);
create index identities_user on identities (user_id);

-- People who hold such a role act only with a second factor.
alter table roles add column require_2fa boolean not null default false;
