/** SQL for many filters at once: exports and imports. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { FilterRow, KeywordRow } from '../core/filter/rules.js'

/** A filter with the addresses of its statuses that are not deleted. */
export interface TakenFilter extends FilterRow {
  keywords: Pick<KeywordRow, 'keyword' | 'whole_word'>[]
  uris: string[]
}

/** Filters of an account with keywords and addresses, in order of creation. */
export const filtersToTake = (
  db: Reader,
  account: string,
  page: { after: string; limit: number },
): Promise<TakenFilter[]> =>
  db.rows(sql`select f.id, f.title, f.context, f.action, f.expires_at,
      coalesce((select json_agg(json_build_object('keyword', k.keyword, 'whole_word', k.whole_word) order by k.id)
        from filter_keywords k where k.filter_id = f.id), '[]') as keywords,
      array(select s.uri from filter_statuses o join statuses s on s.id = o.status_id and s.deleted_at is null
        where o.filter_id = f.id order by o.id) as uris
    from filters f where f.account_id = ${account} and f.id > ${page.after} order by f.id limit ${page.limit}`)

export const countFiltersOf = async (db: Reader, account: string): Promise<number> =>
  (await db.row<{ n: number }>(sql`select count(*)::int as n from filters where account_id = ${account}`))?.n ?? 0

export interface NewFilter extends FilterRow {
  keywords: KeywordRow[]
  covered: { id: string; status_id: string }[]
}

const inside = <T>(filters: readonly NewFilter[], of: (filter: NewFilter) => readonly T[]): string =>
  JSON.stringify(filters.flatMap((filter) => of(filter).map((one) => ({ filter_id: filter.id, ...one }))))

export const insertFilters = async (tx: Tx, account: string, filters: readonly NewFilter[]): Promise<void> => {
  if (filters.length === 0) return
  const rows = filters.map(({ keywords: _keywords, covered: _covered, ...row }) => row)
  await tx.run(sql`insert into filters (id, account_id, title, context, action, expires_at)
    select id, ${account}::bigint, title, context, action, expires_at from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as one(id bigint, title text, context text[], action text, expires_at timestamptz)`)
  await tx.run(sql`insert into filter_keywords (id, filter_id, keyword, whole_word)
    select id, filter_id, keyword, whole_word from jsonb_to_recordset(${inside(filters, (one) => one.keywords)}::jsonb)
      as one(id bigint, filter_id bigint, keyword text, whole_word boolean)`)
  await tx.run(sql`insert into filter_statuses (id, filter_id, status_id)
    select id, filter_id, status_id from jsonb_to_recordset(${inside(filters, (one) => one.covered)}::jsonb)
      as one(id bigint, filter_id bigint, status_id bigint)`)
}

export const deleteFilters = async (tx: Tx, account: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.run(sql`delete from filters where account_id = ${account} and id = any(${ids}::bigint[])`)
}
