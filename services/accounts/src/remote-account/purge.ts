/** Task that removes all accounts of domains, with their relationships and statuses. */
import { accountInvalidation, accountRemoved } from '@murmuration/contracts/accounts'
import { deleteRemoteEmoji } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import { inSteps, taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { relationsOfAccounts } from '../core/follow/domain.store.js'
import { lockAccounts, lockNames } from '../core/lock.store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { storeDecisions } from './decision.store.js'
import {
  type Actor,
  accountsOfDomain,
  deletePrunable,
  deleteRemotes,
  type Position,
  type Removed,
} from './purge.store.js'

const CHUNK = 50
/**
 * `size`: maximum number of follows, and of requests, that one transaction ends in each direction. `steps`: maximum
 * number of transactions.
 */
const STEPS = { size: 1_000, steps: 1_000 }

export interface PurgeInput {
  domains: string[]
  /** True if accounts on subdomains are removed, too. */
  below: boolean
  /** True selects accounts by the host of the actor id, false by the domain of the handle. */
  byUri: boolean
}

/** Ends a page of relationships before the accounts are removed. Returns the larger number of ended follows or requests. */
const endSome = async (ctx: Context, tx: Tx, ids: readonly string[]): Promise<number> => {
  const going = new Set(ids)
  await lockAccounts(tx, ids)
  const follows = await relationsOfAccounts(tx, 'follows', ids, STEPS.size)
  await endFollows(ctx, tx, follows, (pair) => going.has(pair.to))
  const requests = await relationsOfAccounts(tx, 'follow_requests', ids, STEPS.size)
  await endRequests(ctx, tx, requests, (pair) => (going.has(pair.to) ? 'rejected' : 'withdrawn'))
  return Math.max(follows.length, requests.length)
}

/**
 * Ends relationships in several transactions before the accounts are removed. The removal itself ends the few
 * relationships that remain.
 */
const endRelationsOf = (ctx: Context, ids: readonly string[]): Promise<number> =>
  inSteps(STEPS, () => ctx.db.tx((tx) => endSome(ctx, tx, ids)))

const announceRemoved = async (ctx: Context, tx: Tx, removed: readonly Removed[]): Promise<number> => {
  await ctx.announce(tx, accountRemoved, ...removed.map((one) => ({ ...one, local: false })))
  tx.onCommit(() =>
    ctx.invalidations.send(
      accountInvalidation,
      removed.map(({ id }) => id),
    ),
  )
  return removed.length
}

/** Locks actor ids, so that a concurrent fetch of such an actor is stored before the deletion, or not at all. */
const lockActors = (tx: Tx, rows: readonly Actor[]): Promise<void> =>
  lockNames(
    tx,
    rows.map((row) => `actor ${row.uri}`),
  )

/** Removes remote accounts with their remaining relationships. Returns the number of removed accounts. */
const removeRemotes = async (ctx: Context, tx: Tx, rows: readonly Actor[]): Promise<number> => {
  if (rows.length === 0) return 0
  await lockActors(tx, rows)
  const ids = rows.map((row) => row.id)
  await endSome(ctx, tx, ids)
  await storeDecisions(tx, ids)
  return announceRemoved(ctx, tx, await deleteRemotes(tx, ids))
}

/** Removes the accounts among `rows` that may still be pruned. Returns the number of removed accounts. */
export const pruneAccounts = async (ctx: Context, tx: Tx, rows: readonly Actor[], before: string): Promise<number> => {
  if (rows.length === 0) return 0
  await lockActors(tx, rows)
  const ids = rows.map((row) => row.id)
  await lockAccounts(tx, ids)
  return announceRemoved(ctx, tx, await deletePrunable(tx, ids, before))
}

/** Position in the task: the index of the domain in the input, and the position in the accounts of that domain. */
interface Walk extends Position {
  n: number
}
const START: Omit<Walk, 'n'> = { by: 'handle', turned: '', id: '' }
const walkOf = (after: string): Walk => (after === '' ? { n: 0, ...START } : (JSON.parse(after) as Walk))

const nextWalk = (input: PurgeInput, walk: Walk): Walk | null => {
  if (walk.by === 'handle' && input.byUri) return { ...walk, by: 'address', turned: '', id: '' }
  return walk.n + 1 < input.domains.length ? { n: walk.n + 1, ...START } : null
}

interface Prepared {
  found: Awaited<ReturnType<typeof accountsOfDomain>>
  /** Number of removed custom emoji of the domain. The emoji are removed and counted in the last chunk of the domain. */
  emojis: number
}

export const purgeKind = taskKind<Context>()<PurgeInput, Prepared>({
  name: 'purge-domains',
  permission: 'manage_federation',
  act: ({ domains }) => ({ action: 'purge_domains', target: domains.join(', ') }),
  async prepare(ctx, { input, after, dryRun }) {
    const walk = walkOf(after)
    const scope = { domain: input.domains[walk.n] ?? '', below: input.below, sameHost: input.byUri }
    const found = await accountsOfDomain(ctx.db, scope, walk, CHUNK)
    const ids = found.map((row) => row.id)
    if (!dryRun && ids.length > 0) await endRelationsOf(ctx, ids)
    // The media service deletes custom emoji of the domain in its own transactions. A repeated chunk therefore finds no emoji.
    const isLast = found.length < CHUNK && walk.by === 'handle'
    const { domain, below } = scope
    const { emojis } = isLast ? await ctx.call(deleteRemoteEmoji, { domain, below, dry_run: dryRun }) : { emojis: 0 }
    return { found, emojis }
  },
  async apply(ctx, tx, { input, after, dryRun }, { found, emojis }) {
    const walk = walkOf(after)
    const removed = dryRun ? found.length : await removeRemotes(ctx, tx, found)
    const last = found.at(-1)
    const next = last && found.length >= CHUNK ? { ...walk, turned: last.turned, id: last.id } : nextWalk(input, walk)
    return {
      next: next && JSON.stringify(next),
      seen: found.length,
      changed: removed,
      notes: { ...(emojis > 0 && { custom_emoji: emojis }) },
    }
  },
})
