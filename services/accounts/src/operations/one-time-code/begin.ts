/** Makes the secret for an app that makes codes. */
import { oneTimeCodeBegin } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { codeAddressOf, newCodeSecret } from '../../secrets/one-time-codes.js'
import { putOneTimeCode } from '../../store/one-time-code.js'
import { codePlace } from '../../views/second-factor.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const beginOneTimeCode = handle(oneTimeCodeBegin, async (ctx, _viewer, { session, password }) => {
  const person = await signedIn(ctx, session)
  await mustProve(ctx, person, password)
  const secret = newCodeSecret()
  const sealed = ctx.seal.close(secret, codePlace(person.user_id))
  if (!(await ctx.db.tx((tx) => putOneTimeCode(tx, person.user_id, sealed, ctx.clock.date()))))
    throw fail('conflict', 'There is an app already; turn it off first.')
  return { secret, address: codeAddressOf(secret, { issuer: ctx.site.localDomain, label: person.username }) }
})
