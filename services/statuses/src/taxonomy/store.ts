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
  /** The thing in words, for the audit log. */
  target: string
  state: TaxonomyState
}

const READ: Record<TaxonomyKind, (id: string) => Sql> = {
  tag: (id) => sql`select '#' || name as target, json_build_object('trendable', trendable, 'reviewed_at', reviewed_at,
    'display', display, 'usable', usable, 'listable', listable) as state from tags where id = ${id} for update`,
  link: (id) => sql`select url as target, json_build_object('trendable', trendable) as state
    from previews where id = ${id} for update`,
  status: (id) => sql`select id::text as target, json_build_object('trendable', trendable) as state
    from statuses where id = ${id} and deleted_at is null for update`,
  publisher: (
    id,
  ) => sql`select domain as target, json_build_object('trendable', trendable, 'reviewed_at', reviewed_at) as state
    from publishers where id = ${id} for update`,
}

/** One row, locked until the transaction ends. */
export const lockTaxonomy = (tx: Tx, kind: TaxonomyKind, id: string): Promise<TaxonomyRow | null> =>
  tx.row<TaxonomyRow>(READ[kind](id))

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
