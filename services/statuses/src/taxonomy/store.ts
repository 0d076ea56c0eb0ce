/** Fields of hashtags, links, statuses and publishers that staff decides about. */
import { type Sql, sql, type Tx } from '@murmuration/db'

export type TaxonomyKind = 'tag' | 'link' | 'status' | 'publisher'

/** Fields that a kind does not have are absent. */
export interface TaxonomyState {
  trendable: boolean | null
  reviewed_at?: Date | null | undefined
  display?: string | null | undefined
  usable?: boolean | undefined
  listable?: boolean | undefined
}

export interface TaxonomyRow {
  id: string
  /** The thing in words, for the audit log. */
  target: string
  state: TaxonomyState
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

/** Rows, locked until the transaction ends. */
export const lockTaxonomies = (tx: Tx, kind: TaxonomyKind, ids: readonly string[]): Promise<TaxonomyRow[]> =>
  tx.rows<TaxonomyRow>(sql`${READ[kind]} id = any(${ids}::bigint[]) order by id for update`)

/** One of them. */
export const lockTaxonomy = async (tx: Tx, kind: TaxonomyKind, id: string): Promise<TaxonomyRow | null> =>
  (await lockTaxonomies(tx, kind, [id]))[0] ?? null

const WRITE: Record<TaxonomyKind, (id: string, state: TaxonomyState) => Sql> = {
  tag: (id, state) => sql`update tags set trendable = ${state.trendable}, reviewed_at = ${state.reviewed_at ?? null},
    display = ${state.display ?? null}, usable = ${state.usable ?? true}, listable = ${state.listable ?? true} where id = ${id}`,
  link: (id, { trendable }) => sql`update previews set trendable = ${trendable} where id = ${id}`,
  status: (id, { trendable }) =>
    sql`update statuses set trendable = ${trendable} where id = ${id} and deleted_at is null`,
  publisher: (id, { trendable, reviewed_at = null }) =>
    sql`update publishers set trendable = ${trendable}, reviewed_at = ${reviewed_at} where id = ${id}`,
}

export const storeTaxonomy = (tx: Tx, kind: TaxonomyKind, id: string, state: TaxonomyState): Promise<number> =>
  tx.run(WRITE[kind](id, state))
