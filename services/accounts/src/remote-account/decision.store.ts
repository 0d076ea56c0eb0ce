/**
 * Decisions of staff about remote accounts that were removed. The decisions apply again when the account is stored
 * again.
 */
import { bigints, type Sql, sql, type Tx } from '@murmuration/db'
import { SUSPENDED_BY_HOME_SERVER } from '../core/account/remote.rules.js'
import { RULE } from './rules.js'

/** A limit or suspension with its stamp. A stamp without a time is an exemption from domain rules. */
export interface Kept {
  at: Date | null
  by: string | null
}

export interface Decisions {
  suspended: Kept | null
  silenced: Kept | null
  sensitizedAt: Date | null
}

export const NO_DECISIONS: Decisions = { suspended: null, silenced: null, sensitizedAt: null }

/**
 * Stores the decisions of staff about accounts, before the accounts are removed. Suspensions by the accounts' own servers are not stored.
 * Limits by domain rules are not stored either, because the current rule decides when the account is stored again.
 *
 * Rows of an earlier removal of the accounts are deleted first, because processes of an older version do not delete
 * such rows. The accounts are locked. A concurrent removal of a block therefore lifts its suspensions completely before
 * this function or completely after it.
 */
export const storeDecisions = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`with actors as materialized (
      select uri from accounts where id = any(${bigints(ids)}) and domain is not null order by id for update),
    suspended as (delete from suspended_actors where uri in (select uri from actors))
    delete from actor_decisions where uri in (select uri from actors)`)
  await tx.run(sql`insert into suspended_actors (uri, suspended_at, suspended_by)
    select uri, suspended_at, suspended_by from accounts
    where id = any(${bigints(ids)}) and domain is not null and suspended_at is not null and suspended_by <> ${SUSPENDED_BY_HOME_SERVER}
    order by uri on conflict (uri) do update set suspended_at = excluded.suspended_at, suspended_by = excluded.suspended_by`)
  await tx.run(sql`insert into actor_decisions (uri, domain, silenced_at, silenced_by, sensitized_at)
    select uri, domain, case when not ruled then silenced_at end, case when not ruled then silenced_by end, sensitized_at
    from accounts cross join lateral (select coalesce(starts_with(silenced_by, ${RULE}), false) as ruled) one
    where id = any(${bigints(ids)}) and domain is not null
      and ((silenced_by is not null and not ruled) or sensitized_at is not null)
    order by uri on conflict (uri) do update set silenced_at = excluded.silenced_at, silenced_by = excluded.silenced_by,
      sensitized_at = excluded.sensitized_at`)
}

/** Returns the domain and its parent domains. */
const withParents = (domain: string): string[] => domain.split('.').map((_, at, labels) => labels.slice(at).join('.'))

/**
 * SQL condition: a block with the given stamp, of one of `domains`, is being removed, so that its decisions no longer
 * apply.
 */
const isEnding = (measure: 'suspended' | 'silenced', stamp: Sql, domains: readonly string[]): Sql =>
  sql`exists (select 1 from domain_measures m where m.domain = any(${domains}::text[]) and m.measure = ${measure}
    and m.stamp = ${stamp} and m.action in ('unsuspend', 'unsilence') and m.action_order = m."order")`

/**
 * Returns the stored decisions about an actor whose account was removed, except decisions of a block that is being removed. Deletes all
 * stored decisions about the actor.
 */
export const takeStoredDecisions = async (
  tx: Tx,
  { uri, domain }: { uri: string; domain: string },
): Promise<Decisions> => {
  const domains = [...withParents(domain), ...withParents(new URL(uri).hostname)]
  const suspended = await tx.row<Kept & { ends: boolean }>(sql`delete from suspended_actors where uri = ${uri}
    returning suspended_at as at, suspended_by as by, ${isEnding('suspended', sql`suspended_by`, domains)} as ends`)
  const rest = await tx.row<Kept & { sensitized_at: Date | null; ends: boolean }>(sql`delete from actor_decisions
    where uri = ${uri} returning silenced_at as at, silenced_by as by, sensitized_at,
      ${isEnding('silenced', sql`silenced_by`, domains)} as ends`)
  const keptOf = (found: (Kept & { ends: boolean }) | null): Kept | null =>
    found === null || found.by === null || found.ends ? null : { at: found.at, by: found.by }
  return { suspended: keptOf(suspended), silenced: keptOf(rest), sensitizedAt: rest?.sensitized_at ?? null }
}
