/** Rows with the last decision of staff on the accounts of a domain. Jobs of an earlier decision stop. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { type DomainScope, EXEMPT, isTime } from './store.js'

export interface DomainMeasure {
  domain: string
  measure: 'suspended' | 'silenced'
  /** Stamp of the domain block, which is stored with each account of the domain. */
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

/** Deletes the limits that a removed block left for actors whose accounts were removed. Marks stay. */
export const forgetLimits = async (tx: Tx, stamp: string): Promise<void> => {
  await tx.run(sql`delete from actor_decisions where silenced_by = ${stamp} and sensitized_at is null`)
  await tx.run(sql`update actor_decisions set silenced_at = null, silenced_by = null where silenced_by = ${stamp}`)
}

/** Ends the exemptions of removed accounts that a new block no longer respects, as it does for other accounts. */
export const endExemptions = (tx: Tx, { domain, exact }: DomainScope, stamp: string): Promise<number> => {
  const below = exact ? sql`` : sql`or right(name, ${domain.length + 1}) = ${`.${domain}`}`
  return tx.run(sql`update actor_decisions set silenced_by = null
    where silenced_at is null and silenced_by ${isTime(stamp) ? sql`< ${EXEMPT + stamp}` : sql`is not null`}
      and exists (select 1 from unnest(array[domain, split_part(uri, '/', 3)]) as one(name)
        where name = ${domain} ${below})`)
}
