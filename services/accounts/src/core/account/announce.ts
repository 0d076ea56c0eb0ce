/** Announces a changed account: publishes the event, invalidates caches, and closes streaming connections. */
import { accountChanged, accountInvalidation, tokenInvalidation } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { validTokenIds } from '../token/store.js'
import { closeStreams } from '../token/streams.js'
import { userByAccountId } from '../user/store.js'
import { flagsOf } from './record.js'
import { accountById } from './store.js'

/** `login`: true if the change allows or forbids the user to act. Then cached tokens are invalidated, and open streams are closed. */
export const announceAccount = async (
  ctx: Pick<Context, 'announce' | 'invalidations' | 'nc'>,
  tx: Tx,
  id: string,
  login: boolean,
): Promise<void> => {
  const row = await accountById(tx, id)
  if (!row) return
  await ctx.announce(tx, accountChanged, { id, flags: flagsOf(row), profile: row.domain === null })
  tx.onCommit(() => ctx.invalidations.send(accountInvalidation, [id]))
  const user = login ? await userByAccountId(tx, id) : null
  if (!user) return
  const tokens = await validTokenIds(tx, user.user_id)
  tx.onCommit(() => {
    ctx.invalidations.send(tokenInvalidation, tokens)
    closeStreams(ctx, id)
  })
}
