/** Signs a person up with a browser, and signs them in there. */
import { registrationSignUp } from '@murmuration/contracts/accounts'
import { beginSession } from '../../changes/session.js'
import { signUp } from '../../changes/sign-up.js'
import { handle } from '../../doors.js'

export const signUpWithBrowser = handle(
  registrationSignUp,
  async (ctx, _viewer, { ip, userAgent, ...said }, request) => ({
    session: await signUp(ctx, said, { ip, applicationId: null, locale: request.locale }, (tx, person) =>
      beginSession(ctx, tx, { ...person, user_id: person.userId }, 'password', { ip, userAgent }),
    ),
  }),
)
