/** Stores, reads and deletes avatars, headers and emoji, both local and remote (table `pictures`). */
import { bigints, type Reader, type Sql, sql, type Tx, texts } from '@murmuration/db'
import { afterFailure, type Claimed, type FailedTry } from '../remote-file/copy.store.js'

export type PictureKind = 'avatar' | 'header' | 'emoji'
export interface Picture {
  id: string
  owner: string
  kind: PictureKind
  remote_url: string | null
  domain: string | null
  key: string | null
  still_key: string | null
  media_type: string | null
  failed_at: Date | null
}

const columns: Sql = sql`id, owner, kind, remote_url, domain, key, still_key, media_type, failed_at`

export const pictureById = (db: Reader, id: string): Promise<Picture | null> =>
  db.row(sql`select ${columns} from pictures where id = ${id}`)

/** Stores the row of an uploaded avatar, header or emoji. */
export const insertPicture = async (
  tx: Tx,
  row: Omit<Picture, 'remote_url' | 'domain' | 'failed_at'> & { size: number; created_at: Date },
): Promise<void> => {
  await tx.run(sql`insert into pictures (id, owner, kind, key, still_key, media_type, size, created_at)
    values (${row.id}, ${row.owner}, ${row.kind}, ${row.key}, ${row.still_key}, ${row.media_type}, ${row.size}, ${row.created_at})`)
}

export interface Wanted {
  id: string
  owner: string
  kind: PictureKind
  remote_url: string
  domain: string | null
  /** Shortcode of an emoji; null for other pictures. */
  shortcode: string | null
}

/**
 * Time at which the picture `p` was given up, or at which its further try began; null if it was not given up. Of pictures
 * that an older release gave up, only the time of the last failure is stored. After the copy was removed, a failed
 * request of a client does not increase `failures`.
 */
const givenUpAt: Sql = sql`coalesce(p.given_up_at, case when p.failures > 0 and p.retry_at is null then p.failed_at end)`

/** Stored pictures that have the owner, kind and remote URL of one of the wanted pictures. */
export const knownPictures = (
  db: Reader,
  wanted: readonly Wanted[],
): Promise<
  (Pick<Picture, 'id' | 'owner' | 'kind' | 'remote_url' | 'key' | 'still_key'> & {
    shortcode: string | null
    replaced: boolean
    /** Time at which the picture was given up, or its further try began. Null if it was not given up, or has a copy. */
    given_up_at: Date | null
    retry_at: Date | null
  })[]
> =>
  db.rows(sql`select p.id, p.owner, p.kind, p.remote_url, p.key, p.still_key, p.shortcode,
      p.replaced_at is not null as replaced, p.retry_at,
      case when p.key is null then ${givenUpAt} end as given_up_at from pictures p
    join unnest(${wanted.map((one) => one.owner)}::text[], ${wanted.map((one) => one.kind)}::text[],
      ${wanted.map((one) => one.remote_url)}::text[]) as wanted(owner, kind, remote_url)
      on p.owner = wanted.owner and p.kind = wanted.kind and p.remote_url = wanted.remote_url
    where p.remote_url is not null`)

/**
 * Stores remote pictures, and returns the ids of new ones. If a new picture has neither a copy nor a recorded failure
 * at the time `retryAt`, it is queued again.
 */
export const insertRemotePictures = async (
  tx: Tx,
  wanted: readonly Wanted[],
  { now, retryAt }: { now: Date; retryAt: Date },
): Promise<string[]> => {
  const rows = await tx.rows<{
    id: string
  }>(sql`insert into pictures (id, owner, kind, remote_url, domain, shortcode, created_at, retry_at)
    select id, owner, kind, remote_url, domain, shortcode, ${now}::timestamptz, ${retryAt}::timestamptz from unnest(${wanted.map((one) => one.id)}::bigint[],
      ${wanted.map((one) => one.owner)}::text[], ${wanted.map((one) => one.kind)}::text[], ${wanted.map((one) => one.remote_url)}::text[],
      ${wanted.map((one) => one.domain)}::text[], ${wanted.map((one) => one.shortcode)}::text[])
      as wanted(id, owner, kind, remote_url, domain, shortcode)
    order by owner, kind, remote_url
    on conflict (owner, kind, remote_url) where remote_url is not null do nothing returning id`)
  return rows.map((row) => row.id)
}

/** Schedules a further try for pictures that were given up. */
export const retryGivenUp = (tx: Tx, ids: readonly string[], at: Date): Promise<number> =>
  tx.run(sql`update pictures p set retry_at = ${at}, given_up_at = ${at}
    where p.id = any(${bigints(ids)}) and ${givenUpAt} is not null and p.retry_at is null`)

/**
 * Claims the right to fetch a picture until `until`. Returns null if another process has the claim, or the picture is
 * not remote. With `missing`, also returns null if a copy exists, and schedules the next try in case this process ends.
 */
export const claimPicture = (
  db: Reader,
  id: string,
  it: { now: Date; until: Date; missing: boolean },
): Promise<Claimed<Picture> | null> =>
  db.row(sql`update pictures set claimed_until = ${it.until},
      retry_at = case when ${it.missing} then greatest(retry_at, ${it.until}) else retry_at end
    where id = ${id} and remote_url is not null
    and (claimed_until is null or claimed_until < ${it.now}) and not (${it.missing} and key is not null)
    returning ${columns}, failures, created_at, given_up_at`)

/** Stores the copy of a picture in its row. False if the row was deleted meanwhile. */
export const cachePicture = async (
  tx: Tx,
  id: string,
  copy: { key: string; still_key: string | null; media_type: string; size: number },
): Promise<boolean> =>
  (await tx.run(sql`update pictures set key = ${copy.key}, still_key = ${copy.still_key}, media_type = ${copy.media_type}, size = ${copy.size},
    claimed_until = null, failed_at = null, failures = 0, retry_at = null, given_up_at = null where id = ${id}`)) === 1

/** Ends the claim of a process on a picture, and stores the outcome of its try to copy the picture. */
export const unclaimPicture = (db: Reader, id: string, fate: FailedTry): Promise<number> =>
  db.run(sql`update pictures set claimed_until = null, ${afterFailure(fate)},
    given_up_at = coalesce(${fate.givenUpAt ?? null}, given_up_at) where id = ${id}`)

/** Deletes those pictures of the owner that have one of these keys. Returns the keys of the files of each picture. */
export const dropPictures = async (tx: Tx, owner: string, keys: readonly string[]): Promise<string[][]> => {
  const rows = await tx.rows<{ key: string; still_key: string | null }>(sql`delete from pictures
    where owner = ${owner} and key = any(${texts(keys)}) returning key, still_key`)
  return rows.map((row) => [row.key, row.still_key].filter((key) => key !== null))
}

/** Stores shortcodes of remote emoji whose shortcode is not stored yet. */
export const nameEmojis = (tx: Tx, named: readonly { id: string; shortcode: string }[]): Promise<number> =>
  tx.run(sql`update pictures p set shortcode = named.shortcode
    from unnest(${bigints(named.map((one) => one.id))}, ${named.map((one) => one.shortcode)}::text[]) as named(id, shortcode)
    where p.id = named.id and p.shortcode is null`)

/** Deletes all avatars and headers of an account, also those that were replaced. Returns the keys of their files. */
export const deletePicturesOf = async (tx: Tx, owner: string, { local }: { local: boolean }): Promise<string[]> =>
  (
    await tx.rows<{ keys: string[] }>(sql`delete from pictures
      where owner = ${owner} and kind in ('avatar', 'header') and remote_url is ${local ? sql`null` : sql`not null`}
      returning array_remove(array[key, still_key], null) as keys`)
  ).flatMap((row) => row.keys)

/** Marks pictures of a remote account as replaced by newer ones. */
export const markReplaced = (
  tx: Tx,
  owner: string,
  pictures: readonly { kind: PictureKind; remote_url: string }[],
  at: Date,
): Promise<number> =>
  tx.run(sql`update pictures p set replaced_at = ${at}
    from unnest(${pictures.map((one) => one.kind)}::text[], ${pictures.map((one) => one.remote_url)}::text[])
      as old(kind, remote_url)
    where p.owner = ${owner} and p.kind = old.kind and p.remote_url = old.remote_url`)

/**
 * Marks pictures as not replaced, because they are shown. With `before`, only those that were marked as replaced before
 * that time. Returns the ids of changed pictures.
 */
export const unmarkReplaced = async (tx: Tx, ids: readonly string[], before: Date | null = null): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`update pictures set replaced_at = null where id = any(${bigints(ids)})
      and (${before}::timestamptz is null or replaced_at < ${before}) returning id`)
  ).map((row) => row.id)

/** Pictures that were marked as replaced before a time, oldest marks first. */
export const replacedPictures = (
  db: Reader,
  before: Date,
  limit: number,
): Promise<(Pick<Picture, 'id' | 'owner' | 'kind'> & { remote_url: string })[]> =>
  db.rows(sql`select id, owner, kind, remote_url from pictures
    where remote_url is not null and replaced_at < ${before} order by replaced_at limit ${limit}`)

/** Deletes those pictures that were marked as replaced before `before`. Returns the keys of the files of each. */
export const deleteReplacedPictures = async (tx: Tx, ids: readonly string[], before: Date): Promise<string[][]> =>
  (
    await tx.rows<{ keys: string[] }>(sql`delete from pictures
      where id = any(${bigints(ids)}) and replaced_at < ${before}
      returning array_remove(array[key, still_key], null) as keys`)
  ).map((row) => row.keys)

/** Removes the copies of remote pictures with these ids, and returns the keys of their files. */
export const removePictureCopies = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ keys: string[] }>(sql`update pictures p set key = null, still_key = null, size = 0
      from (select id, array_remove(array[key, still_key], null) as keys from pictures
        where id = any(${bigints(ids)}) and remote_url is not null for update) old
      where p.id = old.id returning old.keys`)
  ).flatMap((row) => row.keys)
