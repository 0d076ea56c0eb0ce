/** Reads and deletes remote custom emoji and their copies, and emoji of this server for the purge task. */
import { bigints, type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

export interface RemoteEmojiRow {
  id: string
  shortcode: string
  domain: string
  key: string | null
  still_key: string | null
  /** True if an emoji of this server has the same shortcode. */
  taken: boolean
}

const isRemoteEmoji = sql`p.kind = 'emoji' and p.remote_url is not null`
const columns = sql`p.id, p.shortcode, p.owner as domain, p.key, p.still_key,
  coalesce((select true from custom_emojis e where e.shortcode = p.shortcode), false) as taken`

/** One page of remote emoji, newest first. `q`: beginning of the shortcode, or with `exact` the whole shortcode. */
export const remoteEmojiPage = async (
  db: Reader,
  { q, domain, exact = false }: { q: string | null; domain: string | null; exact?: boolean },
  page: Cursor,
): Promise<RemoteEmojiRow[]> =>
  newestFirst(
    await db.rows<RemoteEmojiRow>(sql`select ${columns} from pictures p
      where ${isRemoteEmoji} and p.shortcode is not null
        ${q === null ? sql`` : exact ? sql`and p.shortcode = ${q}` : sql`and starts_with(lower(p.shortcode), ${q.toLowerCase()})`}
        ${domain === null ? sql`` : sql`and p.owner = ${domain}`} ${keyset(sql`p.id`, page)}`),
    page,
  )

/** A remote emoji, also one that has no shortcode yet. */
export const remoteEmojiById = (
  db: Reader,
  id: string,
): Promise<(Omit<RemoteEmojiRow, 'shortcode'> & { shortcode: string | null }) | null> =>
  db.row(sql`select ${columns} from pictures p where p.id = ${id} and ${isRemoteEmoji}`)

const reversed = (domain: string): string => [...domain].reverse().join('')

const ownedBy = (domain: string, below: boolean): Sql => {
  const top = reversed(domain)
  const under = sql`(reverse(p.owner) ~>=~ ${`${top}.`} and reverse(p.owner) ~<~ ${`${top}/`})`
  return below ? sql`(reverse(p.owner) = ${top} or ${under})` : sql`reverse(p.owner) = ${top}`
}

/** Number of stored emoji of a server. With `below`, emoji of its subdomains are included. */
export const countEmojisOf = async (db: Reader, domain: string, below: boolean): Promise<number> =>
  (
    await db.row<{ n: number }>(sql`select count(*)::int as n from pictures p
      where ${isRemoteEmoji} and ${ownedBy(domain, below)}`)
  )?.n ?? 0

/** Deletes up to `limit` remote emoji of a domain. Returns the keys of the files of each. */
export const deleteEmojisOf = (
  tx: Tx,
  it: { domain: string; below: boolean; limit: number },
): Promise<{ keys: string[] }[]> =>
  tx.rows(sql`delete from pictures where id in (select p.id from pictures p
      where ${isRemoteEmoji} and ${ownedBy(it.domain, it.below)} order by reverse(p.owner), p.id limit ${it.limit})
    returning array_remove(array[key, still_key], null) as keys`)

export interface EmojiCopy {
  id: string
  size: number
}

/** Copies of remote emoji with an id above `after`, in ascending order: those of one domain, or of all. */
export const emojiCopies = (
  db: Reader,
  { domain, after, limit }: { domain: string | null; after: string; limit: number },
): Promise<EmojiCopy[]> =>
  db.rows(sql`select p.id, p.size::float8 as size from pictures p where ${isRemoteEmoji} and p.key is not null
      ${domain === null ? sql`` : sql`and ${ownedBy(domain, false)}`} and p.id > ${after || '0'}
    order by p.id limit ${limit}`)

export interface OwnEmoji {
  shortcode: string
  picture_id: string
  size: number
}

/** Emoji of this server with a shortcode after `after`, in alphabetical order. */
export const ownEmojis = (db: Reader, after: string, limit: number): Promise<OwnEmoji[]> =>
  db.rows(sql`select e.shortcode, e.picture_id, p.size::float8 as size from custom_emojis e
    join pictures p on p.id = e.picture_id where e.shortcode > ${after} order by e.shortcode limit ${limit}`)

/** Deletes emoji of this server with their pictures, and returns the keys of their files. */
export const deleteOwnEmojis = async (tx: Tx, shortcodes: readonly string[]): Promise<string[]> => {
  const gone = await tx.rows<{ picture_id: string }>(
    sql`delete from custom_emojis where shortcode = any(${shortcodes}::text[]) returning picture_id`,
  )
  const rows = await tx.rows<{ keys: string[] }>(sql`delete from pictures
    where id = any(${bigints(gone.map((row) => row.picture_id))})
    returning array_remove(array[key, still_key], null) as keys`)
  return rows.flatMap((row) => row.keys)
}
