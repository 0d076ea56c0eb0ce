/** Begins a move in the transaction of the caller: stores the target and the row of the move, and adds the events and the first job. */
import { accountMoved, carryOverJob } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { announceAccount } from '../core/account/announce.js'
import type { AccountRow } from '../core/account/store.js'
import { carriedFirst } from './carry-over.js'
import { insertMove, setMoveTarget } from './store.js'

type Moving = Pick<Context, 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock' | 'nc'>

/** Begins a move. The caller has locked the name of the move and checked that it is allowed. */
export const beginMove = async (ctx: Moving, tx: Tx, from: AccountRow, to: AccountRow): Promise<void> => {
  const id = ctx.ids.next()
  await setMoveTarget(tx, from.id, to)
  await insertMove(tx, { id, account: from.id, target: to.id, at: ctx.clock.date() })
  const local = from.domain === null
  await ctx.announce(tx, accountMoved, { id: from.id, local, uri: from.uri, target: to.id, targetUri: to.uri })
  await announceAccount(ctx, tx, from.id, local)
  await ctx.queue(tx, carryOverJob, { move: id, what: carriedFirst, after: '0' })
}
