/** SQL of the statuses in filters. Inserts rely on the caller to check the owner. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface FilterStatusRow {
  id: string
  status_id: string
}

/** Adds a status to a filter. Returns false if the filter already contains the status. */
export const insertFilterStatus = async (tx: Tx, filter: string, row: FilterStatusRow): Promise<boolean> =>
  (await tx.run(sql`insert into filter_statuses (id, filter_id, status_id) values (${row.id}, ${filter}, ${row.status_id})
    on conflict (filter_id, status_id) do nothing`)) > 0

/** A status entry of a filter; null if the account does not own the filter. */
export const filterStatusOf = (db: Reader, account: string, id: string): Promise<FilterStatusRow | null> =>
  db.row(sql`select o.id, o.status_id from filter_statuses o join filters f on f.id = o.filter_id
    where o.id = ${id} and f.account_id = ${account}`)

export const deleteFilterStatus = (tx: Tx, account: string, id: string): Promise<number> =>
  tx.run(sql`delete from filter_statuses o using filters f
    where f.id = o.filter_id and o.id = ${id} and f.account_id = ${account}`)
