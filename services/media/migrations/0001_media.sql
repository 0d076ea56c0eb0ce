-- expand: attachments, pictures of people, and files that no row holds

-- Rows go when their status lets go of them for a day (tick discard-unattached), or when their owner deletes them.
create table attachments (
  id bigint primary key,
  -- Account id of whoever uploaded it, or of the remote author.
  owner bigint not null,
  -- The status that holds it; null while it is in none.
  status bigint,
  -- The holding status is scheduled: the owner may still describe the attachment.
  scheduled boolean not null default false,
  -- Position in a remote status; local statuses keep the order themselves.
  position smallint not null default 0,
  -- local: processing, done, failed; remote: remote (not fetched yet), cached, uncached (shown from where it is).
  state text not null,
  type text not null,
  media_type text not null,
  -- Where the upload waits until it is processed.
  staged_key text,
  staged_cover_key text,
  original_key text,
  small_key text,
  remote_url text,
  -- Domain of the remote author, whose rules hold for this file.
  domain text,
  description text,
  blurhash text,
  -- { original, small, colors } of the MediaAttachment entity.
  meta jsonb not null default '{}',
  focus_x real,
  focus_y real,
  -- Bytes of everything kept for it.
  size bigint not null default 0,
  idempotency_key text,
  -- Since when it is in no status.
  loose_since timestamptz,
  -- Who fetches a remote file has it until then, so that only one does.
  claimed_until timestamptz,
  -- When fetching was given up.
  failed_at timestamptz,
  created_at timestamptz not null,
  check (state in ('processing', 'done', 'failed', 'remote', 'cached', 'uncached')),
  check (state not in ('done', 'cached') or original_key is not null),
  check (state in ('processing', 'done', 'failed') or remote_url is not null)
);
create unique index attachments_idempotency on attachments (owner, idempotency_key) where idempotency_key is not null;
create unique index attachments_remote on attachments (status, remote_url) where remote_url is not null;
create index attachments_status on attachments (status) where status is not null;
create index attachments_loose on attachments (loose_since) where status is null;
create index attachments_processing on attachments (created_at) where state = 'processing';

-- Avatars, headers and emoji: made here for local people, copies for remote ones. Rows go with drop-pictures.
create table pictures (
  id bigint primary key,
  -- Account id, or the domain of an emoji.
  owner text not null,
  kind text not null check (kind in ('avatar', 'header', 'emoji')),
  remote_url text,
  domain text,
  key text,
  still_key text,
  media_type text,
  size bigint not null default 0,
  claimed_until timestamptz,
  failed_at timestamptz,
  created_at timestamptz not null,
  check (remote_url is not null or key is not null)
);
create unique index pictures_remote on pictures (owner, kind, remote_url) where remote_url is not null;
create unique index pictures_key on pictures (key) where key is not null;

-- Files in the store that no row holds: about to be used, or about to be deleted. The tick delete-loose-files empties it.
create table loose_files (
  key text primary key,
  -- From then on the file may be deleted.
  due_at timestamptz not null,
  -- The file is being deleted: nobody may begin to hold it.
  dying boolean not null default false
);
create index loose_files_due on loose_files (due_at);
