/** Everything by which somebody is signed in ends: sessions, tokens, open streams, and codes that were not yet exchanged. */
import { tokenHint, tokenRevoked } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { revokeTokensOf } from '../store/access-token.js'
import { dropCodesOf } from '../store/authorization-code.js'
import { deleteOtherSessions } from '../store/session.js'
import { closeStreams } from './stream.js'

/** For every change of a credential, whoever made it (A092, A100). One session may be kept: that of who asks. */
export const endAccess = async (
  ctx: Pick<Context, 'announce' | 'clock' | 'hints' | 'nc'>,
  tx: Tx,
  person: { user_id: string; account_id: string },
  keptSession: string | null = null,
): Promise<void> => {
  await deleteOtherSessions(tx, person.user_id, keptSession)
  await dropCodesOf(tx, person.user_id)
  const tokenIds = await revokeTokensOf(tx, person.user_id, ctx.clock.date())
  if (tokenIds.length) await ctx.announce(tx, tokenRevoked, { tokenIds, userId: person.user_id })
  tx.onCommit(() => {
    if (tokenIds.length) ctx.hints.send(tokenHint, tokenIds)
    closeStreams(ctx, person.account_id)
  })
}
