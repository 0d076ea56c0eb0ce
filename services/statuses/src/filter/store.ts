/** SQL of filters with their keywords and statuses. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import type { FilterRow, FilterSet, WholeFilter } from '../core/filter/rules.js'

const columns = sql`f.id, f.title, f.context, f.action, f.expires_at`

const inside = sql`coalesce((select json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word)
      order by k.id) from filter_keywords k where k.filter_id = f.id), '[]') as keywords,
    coalesce((select json_agg(json_build_object('id', o.id::text, 'status_id', o.status_id::text) order by o.id)
      from filter_statuses o where o.filter_id = f.id), '[]') as statuses`

/** All filters of an account, in order of creation. */
export const filtersOf = (db: Reader, account: string): Promise<WholeFilter[]> =>
  db.rows(sql`select ${columns}, ${inside} from filters f where f.account_id = ${account} order by f.id`)

/** A filter of an account; null if the account does not own it. */
export const filterOf = (db: Reader, account: string, id: string): Promise<WholeFilter | null> =>
  db.row(sql`select ${columns}, ${inside} from filters f where f.id = ${id} and f.account_id = ${account}`)

/** Whether the account owns the filter. */
export const ownsFilter = async (db: Reader, account: string, id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from filters where id = ${id} and account_id = ${account}`)) !== null

export const insertFilter = (tx: Tx, account: string, row: FilterRow): Promise<number> =>
  tx.run(sql`insert into filters (id, account_id, title, context, action, expires_at)
    values (${row.id}, ${account}, ${row.title}, ${row.context}, ${row.action}, ${row.expires_at})`)

export const updateFilterRow = (tx: Tx, row: FilterRow): Promise<number> =>
  tx.run(sql`update filters set title = ${row.title}, context = ${row.context}, action = ${row.action},
    expires_at = ${row.expires_at} where id = ${row.id}`)

export const deleteFilter = (tx: Tx, account: string, id: string): Promise<number> =>
  tx.run(sql`delete from filters where id = ${id} and account_id = ${account}`)

/** Stores a new revision of an account's filters. The row lock serialises the changes of one account. */
export const reviseFilters = (tx: Tx, account: string, rev: string): Promise<number> =>
  tx.run(sql`insert into filter_sets (account_id, rev) values (${account}, ${rev})
    on conflict (account_id) do update set rev = excluded.rev`)

/** Numbers of filters, of entries (keywords and statuses) and of keyword characters of an account. */
export const filterTotals = async (
  tx: Tx,
  account: string,
): Promise<{ filters: number; entries: number; characters: number }> =>
  (await tx.row<{ filters: number; entries: number; characters: number }>(sql`select
      (select count(*)::int from filters where account_id = ${account}) as filters,
      (select count(*)::int from filter_keywords k join filters f on f.id = k.filter_id where f.account_id = ${account})
        + (select count(*)::int from filter_statuses o join filters f on f.id = o.filter_id where f.account_id = ${account}) as entries,
      (select coalesce(sum(length(k.keyword)), 0)::int from filter_keywords k join filters f on f.id = k.filter_id
        where f.account_id = ${account}) as characters`)) ?? { filters: 0, entries: 0, characters: 0 }

export const filterSetsOf = async (db: Reader, accounts: readonly string[]): Promise<Map<string, FilterSet>> => {
  if (accounts.length === 0) return new Map()
  const rows = await db.rows<FilterSet>(sql`select s.account_id, s.rev, coalesce((
      select json_agg(json_build_object('id', w.id::text, 'title', w.title, 'context', w.context, 'action', w.action,
        'expires_at', floor(extract(epoch from w.expires_at) * 1000)::bigint, 'keywords', w.keywords, 'statuses', w.statuses) order by w.id)
      from (select ${columns}, ${inside} from filters f where f.account_id = s.account_id) w), '[]') as filters
    from filter_sets s where s.account_id = any(${bigints(accounts)})`)
  return new Map(rows.map((row) => [row.account_id, row]))
}

/** Deletes all filters of an account. */
export const eraseFiltersOf = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`delete from filters where account_id = ${account}`)
  await tx.run(sql`delete from filter_sets where account_id = ${account}`)
}
