/** Hashtags as staff manages them. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

/**
 * Ids of hashtags, newest first.
 * @param start the beginning of their normalised names; undefined for all
 */
export const tagPage = async (db: Reader, start: string | undefined, page: Cursor): Promise<string[]> => {
  const named = start === undefined ? sql`` : sql`and name like ${`${start.replace(/[\\%_]/g, '\\$&')}%`}`
  const rows = await db.rows<{ id: string }>(sql`select id from tags where true ${named} ${keyset(sql`id`, page)}`)
  return newestFirst(rows, page).map((row) => row.id)
}

/** Locks a tag and returns its normalised name; null without such a tag. */
export const lockTagName = async (tx: Tx, id: string): Promise<string | null> =>
  (await tx.row<{ name: string }>(sql`select name from tags where id = ${id} for update`))?.name ?? null

export interface TagDecision {
  /** Null keeps the spelling. */
  display: string | null
  /** Undefined keeps the value. */
  listable: boolean | undefined
  trendable: boolean | undefined
  usable: boolean | undefined
}

/** Stores the decisions; the tag counts as reviewed from `at` on. */
export const updateTag = (tx: Tx, id: string, decision: TagDecision, at: Date): Promise<number> =>
  tx.run(sql`update tags set reviewed_at = ${at}, display = coalesce(${decision.display}::text, display),
    listable = coalesce(${decision.listable ?? null}::boolean, listable),
    trendable = coalesce(${decision.trendable ?? null}::boolean, trendable),
    usable = coalesce(${decision.usable ?? null}::boolean, usable) where id = ${id}`)

export interface TagDay {
  day: string
  uses: number
  accounts: number
  servers: number
}

interface Days {
  since: string
  until: string
}

/** Uses, accounts and servers of a tag on each day that has any. */
export const tagDays = (db: Reader, id: string, { since, until }: Days): Promise<TagDay[]> =>
  db.rows<TagDay>(sql`select to_char(day, 'YYYY-MM-DD') as day, uses, accounts,
      (select count(distinct p.domain)::int from tag_places p where p.day = d.day and p.tag_id = d.tag_id) as servers
    from tag_days d where day >= ${since}::date and day <= ${until}::date and tag_id = ${id} order by day`)

/** Distinct accounts and servers of a tag over some days. */
export const tagTotals = async (
  db: Reader,
  id: string,
  { since, until }: Days,
): Promise<{ accounts: number; servers: number }> =>
  (await db.row<{ accounts: number; servers: number }>(sql`select
      (select count(distinct account_id)::int from tag_users
        where day >= ${since}::date and day <= ${until}::date and tag_id = ${id}) as accounts,
      (select count(distinct domain)::int from tag_places
        where day >= ${since}::date and day <= ${until}::date and tag_id = ${id}) as servers`)) ?? {
    accounts: 0,
    servers: 0,
  }

/** Uses of a tag over some days by domain or by language, the most frequent first. */
export const tagPlaces = (
  db: Reader,
  id: string,
  by: 'domain' | 'language',
  { since, until, largest }: Days & { largest: number },
): Promise<{ key: string; value: number }[]> => {
  const column = by === 'domain' ? sql`domain` : sql`language`
  return db.rows(sql`select ${column} as key, sum(uses)::int as value from tag_places
    where day >= ${since}::date and day <= ${until}::date and tag_id = ${id}
    group by ${column} order by 2 desc, 1 limit ${largest}`)
}
