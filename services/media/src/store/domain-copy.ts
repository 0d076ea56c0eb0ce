/** Our copies of files that the people of a domain, or of one below it, sent. */
import { type Sql, sql, type Tx } from '@murmuration/db'

export interface Cleared {
  id: string
  /** Names of the files that nothing holds any more. */
  keys: string[]
}

/** The indexes are on the reversed name, where a domain and what is below it lie together. */
const within = (domain: string): Sql => {
  const turned = [...domain].reverse().join('')
  return sql`domain is not null and (reverse(domain) = ${turned}
    or (reverse(domain) ~>=~ ${`${turned}.`} and reverse(domain) ~<~ ${`${turned}/`}))`
}

const clearedOf = (rows: readonly { id: string; keys: (string | null)[] }[]): Cleared[] =>
  rows.map(({ id, keys }) => ({ id, keys: keys.filter((key) => key !== null) }))

/** Lets go of copies of attachments; they are as before they were fetched. */
export const clearAttachments = async (tx: Tx, domain: string, after: string, limit: number): Promise<Cleared[]> =>
  clearedOf(
    await tx.rows(sql`update attachments a set state = 'remote', original_key = null, small_key = null, size = 0
      from (select id, original_key, small_key from attachments
        where ${within(domain)} and original_key is not null and remote_url is not null and id > ${after}
        order by id limit ${limit} for update) old
      where a.id = old.id returning a.id, array[old.original_key, old.small_key] as keys`),
  )

/** Lets go of copies of avatars, headers and emoji. */
export const clearPictures = async (tx: Tx, domain: string, after: string, limit: number): Promise<Cleared[]> =>
  clearedOf(
    await tx.rows(sql`update pictures p set key = null, still_key = null, size = 0
      from (select id, key, still_key from pictures
        where ${within(domain)} and key is not null and remote_url is not null and id > ${after}
        order by id limit ${limit} for update) old
      where p.id = old.id returning p.id, array[old.key, old.still_key] as keys`),
  )
