/** The last decision on the accounts of a domain. Jobs of an older decision stop. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface DomainMeasure {
  domain: string
  measure: 'suspended' | 'silenced'
  /** Of the block that it is about. */
  stamp: string
}

/** From now on only this order counts. With `keeps` the one before may have asked for follows to be restored. */
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

/** True while nobody asked for something else; until the transaction ends nobody can. */
export const holds = async (tx: Tx, { domain, measure, stamp }: DomainMeasure, order: string): Promise<boolean> =>
  (await tx.row(sql`select 1 from domain_measures where domain = ${domain} and measure = ${measure}
    and stamp = ${stamp} and "order" = ${order} for update`)) !== null

/** Deletes an order that is carried out. Returns whether follows are to be restored. */
export const dropOrder = async (
  db: Reader,
  { domain, measure, stamp }: DomainMeasure,
): Promise<{ restores: boolean }> =>
  (await db.row<{ restores: boolean }>(sql`delete from domain_measures
    where domain = ${domain} and measure = ${measure} and stamp = ${stamp} returning restores`)) ?? { restores: false }
