/**
 * Reads and writes orders. An order is the last decision of staff about the accounts of a domain, by domain block. A
 * new order stops the jobs of the earlier order.
 */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { type DomainScope, EXEMPT, isTime } from './store.js'

export type DomainAction = 'suspend' | 'unsuspend' | 'silence' | 'unsilence'

export interface DomainMeasure {
  domain: string
  measure: 'suspended' | 'silenced'
  /** Stamp of the domain block, which is stored with each account of the domain. */
  stamp: string
}

export interface Order {
  order: string
  action: DomainAction
  exact: boolean
  restores: boolean
  /** If true, and the order that is replaced restores follows, this order restores them too. */
  keeps: boolean
}

/** Stores an order, which replaces the previous order about the same block. */
export const putOrder = async (
  tx: Tx,
  { domain, measure, stamp }: DomainMeasure,
  { order, action, exact, restores, keeps }: Order,
): Promise<void> => {
  await tx.run(sql`insert into domain_measures (domain, measure, stamp, "order", restores, action, exact, action_order)
    values (${domain}, ${measure}, ${stamp}, ${order}, ${restores}, ${action}, ${exact}, ${order})
    on conflict (domain, measure, stamp) do update set "order" = excluded."order",
      restores = excluded.restores or (domain_measures.restores and ${keeps}),
      action = excluded.action, exact = excluded.exact, action_order = excluded.action_order`)
}

/**
 * Whether the order is still the last one about the domain block. The row is locked, so that no later order is stored
 * before the transaction ends.
 */
export const lockLatestOrder = async (
  tx: Tx,
  { domain, measure, stamp }: DomainMeasure,
  order: string,
): Promise<boolean> =>
  (await tx.row(sql`select 1 from domain_measures where domain = ${domain} and measure = ${measure}
    and stamp = ${stamp} and "order" = ${order} for update`)) !== null

/** Deletes a completed order. Returns whether follows that the domain block ended are to be restored. */
export const dropOrder = async (
  db: Reader,
  { domain, measure, stamp }: DomainMeasure,
): Promise<{ restores: boolean }> =>
  (await db.row<{ restores: boolean }>(sql`delete from domain_measures
    where domain = ${domain} and measure = ${measure} and stamp = ${stamp} returning restores`)) ?? { restores: false }

const reversed = (name: string): string => [...name].reverse().join('')

/**
 * Deletes the orders that applied a block of the domain to single subdomains, so that their jobs stop. No other code
 * deletes such orders when the block is removed.
 */
export const dropOrdersBelow = (tx: Tx, { domain, measure, stamp }: DomainMeasure): Promise<number> => {
  const top = reversed(domain)
  return tx.run(sql`delete from domain_measures
    where measure = ${measure} and stamp = ${stamp} and action in ('suspend', 'silence') and action_order = "order"
      and reverse(domain) ~>=~ ${`${top}.`} and reverse(domain) ~<~ ${`${top}/`}`)
}

/** Maximum number of orders of other blocks that one transaction applies again. */
export const OTHERS_PAGE = 100

/** Position of an order: the reversed domain and the stamp of its block. */
export interface OrderPosition {
  turned: string
  stamp: string
}

export interface OtherOrder extends OrderPosition {
  domain: string
  exact: boolean
  action: 'suspend' | 'silence'
  order: string
}

/** A page of the orders of other blocks that limit or suspend accounts of the domain or of its subdomains. */
export const otherOrders = (
  db: Reader,
  { domain, measure, stamp }: DomainMeasure,
  after: OrderPosition = { turned: reversed(domain), stamp: '' },
): Promise<OtherOrder[]> => {
  const top = reversed(domain)
  return db.rows(sql`select domain, reverse(domain) as turned, coalesce(exact, false) as exact,
      case when measure = 'suspended' then 'suspend' else 'silence' end as action, stamp, "order"
    from domain_measures
    where measure = ${measure} and action in ('suspend', 'silence') and action_order = "order"
      and reverse(domain) ~>=~ ${after.turned} and reverse(domain) ~<~ ${`${top}/`}
      and (reverse(domain) ~>~ ${after.turned} or stamp > ${after.stamp})
      and ((domain = ${domain} and stamp <> ${stamp}) or reverse(domain) ~>=~ ${`${top}.`})
    order by reverse(domain) using ~<~, stamp limit ${OTHERS_PAGE}`)
}

/** Maximum number of decisions about removed accounts that one transaction deletes. */
export const DELETE_PAGE = 1_000

const deleteSuspensions = (stamp: string): Sql => sql`with page as materialized (
    select uri from suspended_actors where suspended_by = ${stamp} limit ${DELETE_PAGE}),
  forgotten as (delete from suspended_actors d using page where d.uri = page.uri and d.suspended_by = ${stamp})
  select count(*)::int as found from page`

/** SQL that deletes limits with this stamp. If the media of the account are also marked as sensitive, this mark stays. */
const deleteLimits = (stamp: string): Sql => sql`with page as materialized (
    select uri from actor_decisions where silenced_by = ${stamp} limit ${DELETE_PAGE}),
  forgotten as (delete from actor_decisions d using page
    where d.uri = page.uri and d.silenced_by = ${stamp} and d.sensitized_at is null),
  marked as (update actor_decisions d set silenced_at = null, silenced_by = null from page
    where d.uri = page.uri and d.silenced_by = ${stamp} and d.sensitized_at is not null)
  select count(*)::int as found from page`

/**
 * Deletes a page of the decisions that a removed block left for actors whose accounts were removed. Returns the number of decisions
 * in the page.
 */
export const deleteDecisionsOfOrder = async (tx: Tx, { measure, stamp }: DomainMeasure): Promise<number> => {
  const page = measure === 'suspended' ? deleteSuspensions(stamp) : deleteLimits(stamp)
  return (await tx.row<{ found: number }>(page))?.found ?? 0
}

/** Deletes exemptions of removed accounts from limits, if the block is newer than the exemption. */
export const endExemptions = (tx: Tx, { domain, exact }: DomainScope, stamp: string): Promise<number> => {
  const below = exact ? sql`` : sql`or right(name, ${domain.length + 1}) = ${`.${domain}`}`
  return tx.run(sql`update actor_decisions set silenced_by = null
    where silenced_at is null and silenced_by >= ${EXEMPT} ${isTime(stamp) ? sql`and silenced_by < ${EXEMPT + stamp}` : sql``}
      and exists (select 1 from unnest(array[domain, split_part(uri, '/', 3)]) as one(name)
        where name = ${domain} ${below})`)
}
