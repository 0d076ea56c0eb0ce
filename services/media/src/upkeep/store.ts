/** Reads rows for maintenance: sums of sizes, old copies, files with a row, and rows by the key of a file. */
import { bigints, type Reader, type Sql, sql, type Tx, texts } from '@murmuration/db'
import { unusedFiles } from '../core/older-table-names.store.js'
import type { CopyName } from './rules.js'

export interface Sums {
  seen: number
  last: string | null
  /** Sums of sizes in bytes, by the name of their group. */
  sums: Record<string, number>
}

/** Sums of the sizes of the next attachments after an id, by origin (local or remote). */
export const attachmentSums = async (db: Reader, after: string, limit: number): Promise<Sums> =>
  (await db.row<Sums>(sql`with page as materialized (select id, size, remote_url is null as here from attachments
      where id > ${after} order by id limit ${limit})
    select (select count(*)::int from page) as seen, (select max(id) from page) as last,
      (select jsonb_build_object('local_attachments', coalesce(sum(size) filter (where here), 0),
        'remote_attachments', coalesce(sum(size) filter (where not here), 0)) from page) as sums`)) ?? none

/** Sums of the sizes of the next pictures after an id, by kind and origin. */
export const pictureSums = async (db: Reader, after: string, limit: number): Promise<Sums> =>
  (await db.row<Sums>(sql`with page as materialized (select id, size,
        case when remote_url is null then 'local_' else 'remote_' end
          || case kind when 'emoji' then 'emoji' else kind || 's' end as name
      from pictures where id > ${after} order by id limit ${limit})
    select (select count(*)::int from page) as seen, (select max(id) from page) as last,
      (select coalesce(jsonb_object_agg(name, bytes), '{}') from (
        select name, sum(size)::bigint as bytes from page group by name) named) as sums`)) ?? none

const none: Sums = { seen: 0, last: null, sums: {} }

export interface OldCopy {
  id: string
  size: number
  /** Time at which the copy was made, as text, because text keeps the microseconds of the database. */
  at: string
  keys: string[]
}

const copiedAt = sql`coalesce(cached_at, created_at)`

/** Copies of attachments that were made before a time, oldest first, from the one after the position `after`. */
export const copiesBefore = (
  db: Reader,
  before: Date,
  after: { at: string; id: string } | null,
  limit: number,
): Promise<OldCopy[]> =>
  db.rows(sql`select id, size::float8 as size, ${copiedAt}::text as at,
      array_remove(array[original_key, small_key], null) as keys
    from attachments where state = 'cached' and ${copiedAt} < ${before}
      ${after === null ? sql`` : sql`and ${copiedAt} >= ${after.at}::timestamptz and (${copiedAt}, id) > (${after.at}::timestamptz, ${after.id}::bigint)`}
    order by ${copiedAt}, id limit ${limit}`)

/** Removes the copies of these attachments, unless they were copied again. Returns the changed rows. */
export const removeCopies = (tx: Tx, ids: readonly string[], before: Date): Promise<OldCopy[]> =>
  tx.rows(sql`update attachments a set state = 'remote', original_key = null, small_key = null, size = 0, cached_at = null
    from (select id, size::float8 as size, array_remove(array[original_key, small_key], null) as keys from attachments
      where id = any(${bigints(ids)}) and state = 'cached' and ${copiedAt} < ${before} for update) old
    where a.id = old.id returning old.id, old.size, '' as at, old.keys`)

/** The files that are in use: a row refers to them, or they are unused files. */
export const heldFiles = async (
  db: Reader,
  keys: readonly string[],
  copies: readonly (CopyName & { key: string })[],
): Promise<Set<string>> => {
  const named = copies.map((one) => one.key)
  const rows = await db.rows<{ key: string }>(sql`select key from unnest(${keys}::text[]) as wanted(key)
      where coalesce((select true from attachments a where a.state = 'done' and a.original_key = wanted.key limit 1), false)
        or coalesce((select true from attachments a
          where a.state = 'done' and a.small_key is not null and a.small_key = wanted.key limit 1), false)
        or coalesce((select true from pictures p where p.key = wanted.key limit 1), false)
        or coalesce((select true from pictures p where p.still_key = wanted.key limit 1), false)
        or coalesce((select true from ${unusedFiles} l where l.key = wanted.key limit 1), false)
    union all select key from unnest(${named}::text[], ${copies.map((one) => one.id)}::bigint[],
        ${copies.map((one) => one.kind)}::text[]) as wanted(key, id, kind)
      where kind = 'attachment' and coalesce((select wanted.key in (a.original_key, a.small_key)
        from attachments a where a.id = wanted.id), false)`)
  return new Set(rows.map((row) => row.key))
}

export interface FileOwner {
  kind: 'attachment' | 'avatar' | 'header' | 'emoji'
  id: string
  owner: string
  status_id: string | null
  remote_url: string | null
}

const attachmentColumns: Sql = sql`'attachment' as kind, id, owner::text, status as status_id, remote_url`
const pictureColumns: Sql = sql`kind, id, owner, null::bigint as status_id, remote_url`

/** The row that refers to a file that was not copied from another server. */
export const ownerOfFile = (db: Reader, key: string): Promise<FileOwner | null> =>
  db.row(sql`(select ${attachmentColumns} from attachments where state = 'done' and original_key = ${key} limit 1)
    union all (select ${attachmentColumns} from attachments
      where state = 'done' and small_key is not null and small_key = ${key} limit 1)
    union all (select ${pictureColumns} from pictures where key = ${key} limit 1)
    union all (select ${pictureColumns} from pictures where still_key = ${key} limit 1) limit 1`)

/** The row of a copy of a remote file. */
export const ownerOfCopy = (db: Reader, { kind, id }: CopyName): Promise<FileOwner | null> =>
  kind === 'attachment'
    ? db.row(sql`select ${attachmentColumns} from attachments where id = ${id}`)
    : db.row(sql`select ${pictureColumns} from pictures where id = ${id}`)

/** Copies of remote pictures that belong to these owners, of the given kinds. */
export const pictureCopies = (
  db: Reader,
  owners: readonly string[],
  kinds: readonly string[],
): Promise<{ id: string; size: number }[]> =>
  db.rows(sql`select id, size::float8 as size from pictures
    where owner = any(${texts(owners)}) and kind = any(${texts(kinds)}) and remote_url is not null and key is not null`)
