/** Begins a move: the target, the row, the events and the first job, in the transaction of the caller. */
import { accountChanged, accountHint, accountMoved, carryOverJob, tokenHint } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { livingTokenIds } from '../core/access-token.store.js'
import { type AccountRow, accountById } from '../core/account.store.js'
import { flagsOf } from '../core/record.js'
import { closeStreams } from '../core/streams.js'
import { userByAccountId } from '../core/user.store.js'
import { carriedFirst } from './carry-over.js'
import { insertMove, pointTo } from './store.js'

type Moving = Pick<Context, 'announce' | 'queue' | 'hints' | 'ids' | 'clock' | 'nc'>

/**
 * Announces a changed account. `login`: true if the change allows or forbids the user to act. With `login`, cached
 * tokens are invalidated, and open streams are closed.
 */
export const announceAccount = async (ctx: Moving, tx: Tx, id: string, login: boolean): Promise<void> => {
  const row = await accountById(tx, id)
  if (!row) return
  await ctx.announce(tx, accountChanged, { id, flags: flagsOf(row), profile: row.domain === null })
  tx.onCommit(() => ctx.hints.send(accountHint, [id]))
  const user = login ? await userByAccountId(tx, id) : null
  if (!user) return
  const tokens = await livingTokenIds(tx, user.user_id)
  tx.onCommit(() => {
    ctx.hints.send(tokenHint, tokens)
    closeStreams(ctx, id)
  })
}

/** Begins a move. The caller has locked the name of the move and checked that it is allowed. */
export const beginMove = async (ctx: Moving, tx: Tx, from: AccountRow, to: AccountRow): Promise<void> => {
  const id = ctx.ids.next()
  await pointTo(tx, from.id, to)
  await insertMove(tx, { id, account: from.id, target: to.id, at: ctx.clock.date() })
  const local = from.domain === null
  await ctx.announce(tx, accountMoved, { id: from.id, local, uri: from.uri, target: to.id, targetUri: to.uri })
  await announceAccount(ctx, tx, from.id, local)
  await ctx.queue(tx, carryOverJob, { move: id, what: carriedFirst, after: '0' })
}
