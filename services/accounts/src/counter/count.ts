/**
 * Updates counters of accounts in the transaction of the counted change, and invalidates cached account cards that
 * contain the counters.
 */

import { accountInvalidation, statusCountInvalidation } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { type Batcher, createBatcher } from '@murmuration/flow'
import { type BaseContext, outsideRequest, type Processed, unprocessed } from '@murmuration/kernel'
import type { Pair } from '../core/follow/store.js'
import { moveDigests } from '../follower-digest/index.js'
import { type CounterMove, type Counters, moveCounters } from './store.js'

export const countAndInvalidate = async (
  ctx: Pick<BaseContext, 'invalidations'>,
  tx: Tx,
  moves: readonly CounterMove[],
  invalidation: typeof accountInvalidation | typeof statusCountInvalidation = accountInvalidation,
): Promise<Map<string, Counters>> => {
  if (moves.length === 0) return new Map()
  const counters = await moveCounters(tx, moves)
  tx.onCommit(() => ctx.invalidations.send(invalidation, [...new Set(moves.map((one) => one.id))]))
  return new Map(counters.map((one) => [one.id, one]))
}

/** A status that was created or deleted, as an event describes it. */
export interface StatusCount {
  event: Processed
  move: { id: string; statuses: number; statusAt?: Date }
}

/** Merges the counted statuses of each account into one change of its counters. */
const joined = (counts: readonly StatusCount[]): CounterMove[] =>
  [...Map.groupBy(counts, (one) => one.move.id)].map(([id, own]) => {
    const times = own.flatMap((one) => one.move.statusAt ?? []).map(Number)
    return {
      id,
      statuses: own.reduce((sum, one) => sum + one.move.statuses, 0),
      ...(times.length ? { statusAt: new Date(Math.max(...times)) } : {}),
    }
  })

/** Returns a batcher that counts statuses: up to 500 events in one transaction with one invalidation. Redelivered events are skipped. */
export const createStatusCounter = (
  ctx: Pick<BaseContext, 'db' | 'invalidations' | 'batchPause'>,
): Batcher<StatusCount> =>
  createBatcher(
    async (counts: readonly StatusCount[]) => {
      await ctx.db.tx(async (tx) => {
        const events = counts.map((one) => one.event)
        const fresh = new Set(await unprocessed(tx, events))
        await countAndInvalidate(ctx, tx, joined(counts.filter((one) => fresh.has(one.event))), statusCountInvalidation)
      })
    },
    { pauseMs: ctx.batchPause(20), max: 500, retryAlone: false, runIn: outsideRequest },
  )

/**
 * Counts follows that began (`by` 1) or ended (`by` -1), and updates the follower digests. Returns the new counters by
 * account.
 */
export const countFollows = async (
  ctx: Pick<BaseContext, 'invalidations'>,
  tx: Tx,
  pairs: readonly Pair[],
  by: 1 | -1,
): Promise<Map<string, Counters>> => {
  if (pairs.length === 0) return new Map()
  // Two statements are sent without waiting for the result of the first. PostgreSQL runs the statements in this order,
  // which the digests require.
  const [counters] = await Promise.all([
    countAndInvalidate(ctx, tx, movesOfFollows(pairs, by)),
    moveDigests(tx, pairs, by),
  ])
  return counters
}

/** Changes of the counters by follows that began (`by` 1) or ended (`by` -1), merged per account. */
const movesOfFollows = (pairs: readonly Pair[], by: 1 | -1): CounterMove[] => {
  const moves = new Map<string, { id: string; followers: number; following: number }>()
  const of = (id: string) => {
    const known = moves.get(id) ?? { id, followers: 0, following: 0 }
    moves.set(id, known)
    return known
  }
  for (const { from, to } of pairs) {
    of(from).following += by
    of(to).followers += by
  }
  return [...moves.values()]
}
