/** Handlers that list and revoke grants of applications. */
import { listGrants, revokeGrant } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { lockSignedIn, signedIn } from '../core/session/signed-in.js'
import { announceRevoked } from '../core/token/token.js'
import { handle } from '../handlers.js'
import { dropCodesOfGrant, grantsOf, revokeTokensOfGrant } from './grant.store.js'

/** Returns the applications that may act for the user. */
export const handleListGrants = handle(listGrants, async (ctx, _viewer, { session }) => {
  const user = await signedIn(ctx, session)
  const rows = await grantsOf(ctx.db, user.user_id)
  return {
    grants: rows.map(({ created_at, used_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
  }
})

/** Revokes the grant of an application: its tokens, and its codes that were not exchanged. */
export const handleRevokeGrant = handle(revokeGrant, async (ctx, _viewer, { session, id }) => {
  const user = await signedIn(ctx, session)
  const grant = { userId: user.user_id, applicationId: id, at: ctx.clock.date() }
  await ctx.db.tx(async (tx) => {
    // With the lock, no code is created for this grant meanwhile.
    await lockSignedIn(ctx, tx, session, user)
    // Codes are deleted first. The deletion waits for an exchange in progress, whose token is then revoked too.
    await dropCodesOfGrant(tx, grant)
    const tokenIds = await revokeTokensOfGrant(tx, grant)
    if (tokenIds.length === 0) throw notFound()
    await announceRevoked(ctx, tx, { tokenIds, userId: user.user_id })
  })
  return {}
})
