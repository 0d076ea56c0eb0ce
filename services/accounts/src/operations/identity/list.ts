/** Providers that sign a person in. */
import { identityList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { identitiesOf } from '../../store/identity.js'
import { signedIn } from '../../views/signed-in.js'

export const listIdentities = handle(identityList, async (ctx, _viewer, { session }) => {
  const person = await signedIn(ctx, session)
  const rows = await identitiesOf(ctx.db, person.user_id)
  return {
    identities: rows.map(({ provider, created_at }) => ({
      provider,
      name: ctx.providers.get(provider)?.name ?? provider,
      created_at: created_at.toISOString(),
    })),
  }
})
