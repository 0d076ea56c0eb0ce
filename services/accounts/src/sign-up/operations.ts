/** Handlers of sign-ups with an application or a browser. */
import { createRegistration, registrationOpening, signUpUser } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { accountById } from '../core/account/store.js'
import { giveToken } from '../core/token/token.js'
import { handle } from '../handlers.js'
import { usableInvite } from '../invite/index.js'
import { applicationById, tokenReply } from '../oauth/index.js'
import { beginSession } from '../session/index.js'
import { reasonWanted } from './rules.js'
import { isOpen, signUp, termsOf } from './sign-up.js'

/** Signs a user up with an application. The token can do little until the address is confirmed (S-125). */
export const create = handle(createRegistration, async (ctx, viewer, input, { caller, locale }) => {
  if (viewer) throw fail('forbidden', 'This method requires an client credentials authentication')
  const app = caller?.app ? await applicationById(ctx.db, caller.app.id) : null
  if (!app) throw fail('unauthenticated', 'The access token is invalid')
  const from = { ip: caller?.ip ?? null, applicationId: app.id, locale }
  const token = await signUp(ctx, input, from, (tx, { userId }) =>
    giveToken(ctx, tx, { applicationId: app.id, userId, scopes: app.scopes }),
  )
  return tokenReply(token)
})

/** Signs a user up with a browser, and begins a session. */
export const signUpWithBrowser = handle(signUpUser, async (ctx, _viewer, { ip, userAgent, ...given }, request) => ({
  session: await signUp(ctx, given, { ip, applicationId: null, locale: request.locale }, (tx, user) =>
    beginSession(ctx, tx, { ...user, user_id: user.userId }, 'password', { ip, userAgent }),
  ),
}))

/** Returns whether and how a user may sign up now, for the sign-up page. */
export const showOpening = handle(registrationOpening, async (ctx, _viewer, { invite_code: code, ip }) => {
  const invite = code ? await usableInvite(ctx, code) : null
  const terms = termsOf(ctx, invite)
  const inviter = invite && (await accountById(ctx.db, invite.account_id))
  return {
    open: isOpen(ctx, terms, ip),
    mode: terms.mode,
    closed_message: ctx.policy.settings().closed_registrations_message,
    external_only: ctx.config.externalOnly,
    reason: reasonWanted(terms),
    min_age: terms.minAge,
    inviter: inviter && { username: inviter.username, display_name: inviter.display_name },
    bad_code: code !== null && code !== '' && invite === null,
  }
})
