/** Takes from an application what a person allowed it. */
import { grantRevoke } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { tellRevoked } from '../../changes/token.js'
import { handle } from '../../doors.js'
import { dropCodesOfGrant, revokeTokensOfGrant } from '../../store/grant.js'
import { signedIn } from '../../views/signed-in.js'

export const revokeGrant = handle(grantRevoke, async (ctx, _viewer, { session, id }) => {
  const person = await signedIn(ctx, session)
  const grant = { userId: person.user_id, applicationId: id, at: ctx.clock.date() }
  await ctx.db.tx(async (tx) => {
    const tokenIds = await revokeTokensOfGrant(tx, grant)
    if (tokenIds.length === 0) throw notFound()
    await dropCodesOfGrant(tx, grant)
    await tellRevoked(ctx, tx, { tokenIds, userId: person.user_id })
  })
  return {}
})
