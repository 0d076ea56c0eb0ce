/** Rows with the last decision of staff on the accounts of a domain. Jobs of an earlier decision stop. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface DomainMeasure {
  domain: string
  measure: 'suspended' | 'silenced'
  /** The stamp of the domain block, which its accounts carry. */
  stamp: string
}

/** Stores an order, which replaces the previous one. `keeps`: a previous request to restore follows stays in force. */
export const putOrder = async (
  tx: Tx,
  { domain, measure, stamp }: DomainMeasure,
  { order, restores, keeps }: { order: string; restores: boolean; keeps: boolean },
): Promise<void> => {
  await tx.run(sql`insert into domain_measures (domain, measure, stamp, "order", restores)
    values (${domain}, ${measure}, ${stamp}, ${order}, ${restores})
    on conflict (domain, measure, stamp) do update set "order" = excluded."order",
      restores = excluded.restores or (domain_measures.restores and ${keeps})`)
}

/** Whether the order is the last one. The row is locked, so that this stays true until the transaction ends. */
export const holds = async (tx: Tx, { domain, measure, stamp }: DomainMeasure, order: string): Promise<boolean> =>
  (await tx.row(sql`select 1 from domain_measures where domain = ${domain} and measure = ${measure}
    and stamp = ${stamp} and "order" = ${order} for update`)) !== null

/** Deletes a completed order. Returns whether follows are to be restored. */
export const dropOrder = async (
  db: Reader,
  { domain, measure, stamp }: DomainMeasure,
): Promise<{ restores: boolean }> =>
  (await db.row<{ restores: boolean }>(sql`delete from domain_measures
    where domain = ${domain} and measure = ${measure} and stamp = ${stamp} returning restores`)) ?? { restores: false }

/** Deletes the suspensions that a removed block left for actors whose accounts were removed. */
export const forgetSuspensions = (tx: Tx, stamp: string): Promise<number> =>
  tx.run(sql`delete from suspended_actors where suspended_by = ${stamp}`)
