/** SQL with which staff lists, changes and measures hashtags. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

/**
 * A page of hashtag ids, newest first.
 * @param start prefix of the normalised names; undefined for all
 */
export const tagPage = async (db: Reader, start: string | undefined, page: Cursor): Promise<string[]> => {
  const named = start === undefined ? sql`` : sql`and name like ${`${start.replace(/[\\%_]/g, '\\$&')}%`}`
  const rows = await db.rows<{ id: string }>(sql`select id from tags where true ${named} ${keyset(sql`id`, page)}`)
  return newestFirst(rows, page).map((row) => row.id)
}

/** Locks a tag and returns its normalised name; null if unknown. */
export const lockTagName = async (tx: Tx, id: string): Promise<string | null> =>
  (await tx.row<{ name: string }>(sql`select name from tags where id = ${id} for update`))?.name ?? null

export interface TagDecision {
  /** New spelling of the hashtag; null keeps the stored one. */
  display: string | null
  /** Undefined keeps the stored decision, here and in the next two fields. */
  listable: boolean | undefined
  trendable: boolean | undefined
  usable: boolean | undefined
}

/** Stores the decisions of staff, and that the tag was reviewed at `at`. */
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

/** Uses, accounts and servers of a tag by day. Days without uses are missing. */
export const tagDays = (db: Reader, id: string, { since, until }: Days): Promise<TagDay[]> =>
  db.rows<TagDay>(sql`select to_char(day, 'YYYY-MM-DD') as day, uses, accounts,
      (select count(distinct p.domain)::int from tag_places p where p.day = d.day and p.tag_id = d.tag_id) as servers
    from tag_days d where day >= ${since}::date and day <= ${until}::date and tag_id = ${id} order by day`)

/** Numbers of distinct accounts and servers that used a tag in a period. */
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

/** Uses of a tag in a period by domain or by language, most frequent first. */
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
