/** SQL of the fields of hashtags, links, statuses and publishers that staff decides about. */
import { UNUSABLE_LISTED } from '@murmuration/contracts/statuses'
import { type Sql, sql, type Tx } from '@murmuration/db'

export type TaxonomyKind = 'tag' | 'link' | 'status' | 'publisher'

/**
 * Fields of a hashtag or link publisher that staff decides about. Fields that a kind does not have are absent. `Time`
 * is text in JSON.
 */
export interface TaxonomyState<Time = Date> {
  trendable: boolean | null
  reviewed_at?: Time | null | undefined
  display?: string | null | undefined
  usable?: boolean | undefined
  listable?: boolean | undefined
}

export interface TaxonomyRow {
  id: string
  /** Name of the item in the audit log. */
  target: string
  state: TaxonomyState<string>
}

const READ: Record<TaxonomyKind, Sql> = {
  tag: sql`select id, '#' || name as target, json_build_object('trendable', trendable, 'reviewed_at', reviewed_at,
    'display', display, 'usable', usable, 'listable', listable) as state from tags where`,
  link: sql`select id, url as target, json_build_object('trendable', trendable) as state
    from previews where`,
  status: sql`select id, id::text as target, json_build_object('trendable', trendable) as state
    from statuses where deleted_at is null and`,
  publisher: sql`select id, domain as target, json_build_object('trendable', trendable, 'reviewed_at', reviewed_at) as state
    from publishers where`,
}

/**
 * Locks the rows of hashtags, links, statuses or publishers until the transaction ends, and returns their review state.
 * Unknown ids are missing.
 */
export const lockTaxonomies = (tx: Tx, kind: TaxonomyKind, ids: readonly string[]): Promise<TaxonomyRow[]> =>
  tx.rows<TaxonomyRow>(sql`${READ[kind]} id = any(${ids}::bigint[]) order by id for update`)

/**
 * Locks the row of one hashtag, link, status or publisher, and returns its review state; null if there is no such row.
 */
export const lockTaxonomy = async (tx: Tx, kind: TaxonomyKind, id: string): Promise<TaxonomyRow | null> =>
  (await lockTaxonomies(tx, kind, [id]))[0] ?? null

/** SQL table with the id and the new state of each row. */
const given = (rows: readonly { id: string; state: TaxonomyState }[]): Sql =>
  sql`jsonb_to_recordset(${JSON.stringify(rows.map(({ id, state }) => ({ id, ...state })))}::jsonb)
    as given(id bigint, trendable boolean, reviewed_at timestamptz, display text, usable boolean, listable boolean)`

const WRITE: Record<TaxonomyKind, Sql> = {
  tag: sql`update tags set trendable = given.trendable, reviewed_at = given.reviewed_at, display = given.display,
    usable = coalesce(given.usable, true), listable = coalesce(given.listable, true) from`,
  link: sql`update previews set trendable = given.trendable from`,
  status: sql`update statuses set trendable = given.trendable from`,
  publisher: sql`update publishers set trendable = given.trendable, reviewed_at = given.reviewed_at from`,
}
const ROW_ID: Record<TaxonomyKind, Sql> = {
  tag: sql`tags.id`,
  link: sql`previews.id`,
  status: sql`deleted_at is null and statuses.id`,
  publisher: sql`publishers.id`,
}

/** Stores new review states of items of one kind. */
export const storeTaxonomies = (
  tx: Tx,
  kind: TaxonomyKind,
  rows: readonly { id: string; state: TaxonomyState }[],
): Promise<number> => tx.run(sql`${WRITE[kind]} ${given(rows)} where ${ROW_ID[kind]} = given.id`)

/**
 * The hashtags that staff made unusable, up to the maximum of their event, and the time of the list. It is the time of
 * the database, because a decision in another process would otherwise be older if the clock of its machine is behind.
 */
export const unusableTags = async (tx: Tx): Promise<{ names: string[]; at: Date }> => {
  const row = await tx.row<{
    names: string[]
    at: Date
  }>(sql`select clock_timestamp() as at, array(select name from tags
    where not usable and char_length(name) <= ${UNUSABLE_LISTED.characters}
    order by id desc limit ${UNUSABLE_LISTED.tags}) as names`)
  if (!row) throw new Error('a list has no row')
  return row
}
