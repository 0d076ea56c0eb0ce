/** Creates blocks. Follows, follow requests and collection items between both accounts end in the same transaction. */
import { blockCreated } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { leaveCollections } from '../collection/index.js'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import { endFollows, endRequests } from '../follow/index.js'
import { insertBlocks } from './store.js'

/**
 * Stores that each account in `from` blocks `to`; returns the number of new blocks. The caller has locked the pairs of accounts.
 * `uri`: id of the Block activity of a remote account; null for local accounts.
 */
export const beginBlocks = async (
  ctx: Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock'>,
  tx: Tx,
  from: readonly AccountRow[],
  to: AccountRow,
  uri: string | null = null,
): Promise<number> => {
  const at = ctx.clock.date()
  const localOf = new Map(from.map((one) => [one.id, one.domain === null]))
  const rows = from.map((one) => {
    const id = ctx.ids.next()
    return { id, from: one.id, to: to.id, uri: uri ?? (one.domain === null ? `${one.uri}#blocks/${id}` : null) }
  })
  const fresh = await insertBlocks(tx, rows, at)
  if (fresh.length === 0) return 0
  const blockers = new Set(fresh.map((one) => one.from))
  const pairs = fresh.flatMap((one) => [
    { from: one.from, to: one.to },
    { from: one.to, to: one.from },
  ])
  await endFollows(ctx, tx, pairs, (pair) => blockers.has(pair.to))
  await endRequests(ctx, tx, pairs, (pair) => (blockers.has(pair.to) ? 'rejected' : 'withdrawn'))
  await leaveCollections(ctx, tx, pairs)
  await ctx.announce(
    tx,
    blockCreated,
    ...fresh.map((one) => ({ ...one, fromLocal: localOf.get(one.from) ?? false, toLocal: to.domain === null })),
  )
  return fresh.length
}

/** Stores that `from` blocks `to`; returns false if the block exists already. */
export const beginBlock = async (
  ctx: Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock'>,
  tx: Tx,
  from: AccountRow,
  to: AccountRow,
  uri: string | null = null,
): Promise<boolean> => (await beginBlocks(ctx, tx, [from], to, uri)) > 0
