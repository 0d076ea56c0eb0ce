/** Ends all access of users: sessions, unfinished sign-ins, tokens, streams, and authorization codes that were not exchanged. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { deleteSessionsOf } from '../core/session/store.js'
import { revokeTokensOf } from '../core/token/store.js'
import { closeStreams } from '../core/token/streams.js'
import { announceRevoked } from '../core/token/token.js'
import { lockUsers } from '../core/user/store.js'
import { deleteStepsOf } from '../sign-in-step/index.js'
import { dropCodesOf } from './authorization-code.store.js'

type Ending = Pick<Context, 'announce' | 'clock' | 'invalidations' | 'log' | 'nc'>
type UserIds = { user_id: string; account_id: string }

/** Ends the access of several users after a change of a credential (A092, A100). `keptSession`: the session that stays valid. */
export const endAccessOf = async (
  ctx: Ending,
  tx: Tx,
  users: readonly UserIds[],
  keptSession: string | null = null,
): Promise<void> => {
  if (users.length === 0) return
  const userIds = users.map((one) => one.user_id)
  // With the lock of the user, no sign-in begins or ends meanwhile.
  await lockUsers(tx, userIds)
  await deleteStepsOf(tx, userIds)
  await deleteSessionsOf(tx, userIds, keptSession)
  // Codes are deleted before tokens. If a transaction exchanges a code, its deletion waits, and the token is then found.
  await dropCodesOf(tx, userIds)
  const tokens = Map.groupBy(await revokeTokensOf(tx, userIds, ctx.clock.date()), (token) => token.user_id)
  const revoked = [...tokens].map(([userId, rows]) => ({ tokenIds: rows.map((row) => row.id), userId }))
  await announceRevoked(ctx, tx, ...revoked)
  tx.onCommit(() => {
    for (const { account_id } of users) closeStreams(ctx, account_id)
  })
}

/** Ends the access of one user, like `endAccessOf`. */
export const endAccess = (ctx: Ending, tx: Tx, user: UserIds, keptSession: string | null = null): Promise<void> =>
  endAccessOf(ctx, tx, [user], keptSession)
