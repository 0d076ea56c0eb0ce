/** Signs a person up with an app; the token is good for little until the address is confirmed (S-125). */
import { registrationCreate } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { signUp } from '../../changes/sign-up.js'
import { giveToken } from '../../changes/token.js'
import { handle } from '../../doors.js'
import { applicationById } from '../../store/application.js'
import { tokenReply } from '../../views/token.js'

export const createRegistration = handle(registrationCreate, async (ctx, viewer, input, { caller, locale }) => {
  if (viewer) throw fail('forbidden', 'This method requires an client credentials authentication')
  const app = caller?.app ? await applicationById(ctx.db, caller.app.id) : null
  if (!app) throw fail('unauthenticated', 'The access token is invalid')
  const from = { ip: caller?.ip ?? null, applicationId: app.id, locale }
  const token = await signUp(ctx, input, from, (tx, { userId }) =>
    giveToken(ctx, tx, { applicationId: app.id, userId, scopes: app.scopes }),
  )
  return tokenReply(token)
})
