/** Applications that may act for a person. */
import { grantList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { grantsOf } from '../../store/grant.js'
import { signedIn } from '../../views/signed-in.js'

export const listGrants = handle(grantList, async (ctx, _viewer, { session }) => {
  const person = await signedIn(ctx, session)
  const rows = await grantsOf(ctx.db, person.user_id)
  return {
    grants: rows.map(({ created_at, used_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
  }
})
