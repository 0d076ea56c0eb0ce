/** A block begins: follows, requests and places in collections end both ways, in one transaction with the events. */
import { blockCreated } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { AccountRow } from '../store/account.js'
import { insertBlock } from '../store/block.js'
import { leaveCollections } from './collection.js'
import { endFollows, endRequests } from './follow.js'

/** Blocks `to` for `from`; the caller holds the lock of the pair. `uri` is a remote sender's activity id. */
export const beginBlock = async (
  ctx: Pick<Context, 'announce' | 'hints' | 'ids' | 'clock'>,
  tx: Tx,
  from: AccountRow,
  to: AccountRow,
  uri: string | null = null,
): Promise<boolean> => {
  const id = ctx.ids.next()
  const local = from.domain === null
  const row = {
    id,
    from: from.id,
    to: to.id,
    uri: uri ?? (local ? `${from.uri}#blocks/${id}` : null),
    at: ctx.clock.date(),
  }
  if (!(await insertBlock(tx, row))) return false
  const pairs = [
    { from: from.id, to: to.id },
    { from: to.id, to: from.id },
  ]
  await endFollows(ctx, tx, pairs, (pair) => pair.to === from.id)
  await endRequests(ctx, tx, pairs, (pair) => (pair.to === from.id ? 'rejected' : 'withdrawn'))
  await leaveCollections(ctx, tx, pairs)
  const { at: _at, ...told } = row
  await ctx.announce(tx, blockCreated, { ...told, fromLocal: local, toLocal: to.domain === null })
  return true
}
