/** A provider signs a person in no more. */
import { identityRemove } from '@murmuration/contracts/accounts'
import { fail, notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { deleteIdentities, identitiesOf } from '../../store/identity.js'
import { lockName } from '../../store/lock.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const removeIdentity = handle(identityRemove, async (ctx, _viewer, { session, provider, password }) => {
  const person = await signedIn(ctx, session)
  await mustProve(ctx, person, password)
  await ctx.db.tx(async (tx) => {
    // Two at once must not take the last two ways in.
    await lockName(tx, `identities ${person.user_id}`)
    const others = (await identitiesOf(tx, person.user_id)).filter((one) => one.provider !== provider)
    if (others.length === 0 && (person.password_hash === null || ctx.config.externalOnly))
      throw fail('unprocessable', 'This is the only way in that you have. Set a password first.')
    if ((await deleteIdentities(tx, person.user_id, provider)) === 0) throw notFound()
  })
  return {}
})
