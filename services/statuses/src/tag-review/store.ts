/** Hashtags as staff manages them. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

/** Ids of hashtags, newest first. */
export const tagPage = async (db: Reader, page: Cursor): Promise<string[]> =>
  newestFirst(await db.rows<{ id: string }>(sql`select id from tags where true ${keyset(sql`id`, page)}`), page).map(
    (row) => row.id,
  )

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
