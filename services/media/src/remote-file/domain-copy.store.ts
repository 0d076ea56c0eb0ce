/** Finds and removes the copies of files of a domain and of its subdomains. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'

export interface Cleared {
  id: string
  /** Keys of the files to which the row no longer refers. */
  keys: string[]
}

/** A domain and its subdomains; with `exact`, only the domain. */
export interface Scope {
  domain: string
  exact?: boolean | undefined
}

const reversed = (domain: string): string => [...domain].reverse().join('')

/** SQL condition for a domain. The index on the reversed name contains a domain and its subdomains in one range. */
const within = ({ domain, exact }: Scope): Sql => {
  const turned = reversed(domain)
  if (exact) return sql`domain is not null and reverse(domain) = ${turned}`
  return sql`domain is not null and (reverse(domain) = ${turned}
    or (reverse(domain) ~>=~ ${`${turned}.`} and reverse(domain) ~<~ ${`${turned}/`}))`
}

const HELD = {
  attachment: sql`attachments where domain is not null and original_key is not null`,
  picture: sql`pictures where domain is not null and key is not null`,
} as const

/**
 * Up to `limit` domains with copies, after `after` in the order of their reversed names. The query uses one index
 * look-up per domain.
 */
export const domainsWithCopies = async (
  db: Reader,
  what: keyof typeof HELD,
  after: string,
  limit: number,
): Promise<string[]> => {
  const next = (
    turned: Sql,
  ) => sql`select reverse(domain) as turned from ${HELD[what]} and reverse(domain) ~>~ ${turned}
    order by reverse(domain) using ~<~ limit 1`
  const rows = await db.rows<{ domain: string }>(sql`with recursive found(turned) as (
      (${next(sql`${reversed(after)}::text`)})
      union all
      select (${next(sql`found.turned`)}) from found where found.turned is not null)
    select reverse(turned) as domain from found where turned is not null limit ${limit}`)
  return rows.map((row) => row.domain)
}

const clearedOf = (rows: readonly { id: string; keys: (string | null)[] }[]): Cleared[] =>
  rows.map(({ id, keys }) => ({ id, keys: keys.filter((key) => key !== null) }))

/** Removes copies of attachments of a domain. The rows then have the state from before their first fetch. */
export const clearAttachments = async (tx: Tx, scope: Scope, after: string, limit: number): Promise<Cleared[]> =>
  clearedOf(
    await tx.rows(sql`update attachments a set state = 'remote', original_key = null, small_key = null, size = 0
      from (select id, original_key, small_key from attachments
        where ${within(scope)} and original_key is not null and remote_url is not null and id > ${after}
        order by id limit ${limit} for update) old
      where a.id = old.id returning a.id, array[old.original_key, old.small_key] as keys`),
  )

/** Removes copies of avatars, headers and emoji of a domain. */
export const clearPictures = async (tx: Tx, scope: Scope, after: string, limit: number): Promise<Cleared[]> =>
  clearedOf(
    await tx.rows(sql`update pictures p set key = null, still_key = null, size = 0
      from (select id, key, still_key from pictures
        where ${within(scope)} and key is not null and remote_url is not null and id > ${after}
        order by id limit ${limit} for update) old
      where p.id = old.id returning p.id, array[old.key, old.still_key] as keys`),
  )
