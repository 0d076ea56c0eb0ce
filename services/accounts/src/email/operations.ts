/** Handlers that change, confirm and read e-mail addresses. */
import {
  changeEmail,
  checkEmail,
  confirmEmail,
  emailConfirmations,
  emailPage,
  emailState,
  emailsOf,
  resendEmail,
} from '@murmuration/contracts/accounts'
import { fail, notFound } from '@murmuration/contracts/kit'
import { inConstantTime } from '../core/credential/constant-time.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { stateOf } from '../core/user/state.rules.js'
import { usersByAccountIds } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { confirmByLink, requestEmail, sendConfirmation } from './confirm.js'
import { newAddress, orTaken } from './new-address.js'
import { addressedAfter, emailByAddress, emailOfUser } from './store.js'

/** Requests another e-mail address. A user with a confirmed address must give the password (D009). */
export const handleChangeEmail = handle(changeEmail, async (ctx, _viewer, { session, email, password }) => {
  const browser = await signedIn(ctx, session)
  const user = await emailOfUser(ctx.db, browser.user_id)
  if (!user) throw notFound()
  if (user.confirmed) await requirePassword(ctx, browser, password ?? '')
  const other = await newAddress(ctx, user, email)
  if (!other && user.confirmed) return { state: 'same' as const }
  await orTaken(
    ctx.db.tx(async (tx) => {
      await lockSignedIn(ctx, tx, session, browser)
      await (other ? requestEmail(ctx, tx, user, other) : sendConfirmation(ctx, tx, user))
    }),
  )
  return { state: 'sent' as const }
})

/** Returns whether the address of the viewer is confirmed. */
export const check = handle(checkEmail, async (ctx, viewer) => {
  const user = viewer && (await emailOfUser(ctx.db, viewer.userId))
  if (!user) throw fail('unauthenticated', 'This method requires an authenticated user')
  return user.confirmed
})

/** Confirms an address by a link from an e-mail. */
export const confirmAddress = handle(confirmEmail, async (ctx, _viewer, { token }) => ({
  state: await confirmByLink(ctx, token),
}))

const WRONG_APP = 'This method is only available to the application the user originally signed-up with'
const NOTHING = 'This method is only available while the e-mail is awaiting confirmation'

/**
 * Creates the confirmation e-mail again, optionally to another address. Only for the application that created the account
 * (S-125).
 */
export const resendForApp = handle(emailConfirmations, async (ctx, viewer, { email }, { caller }) => {
  const user = await emailOfUser(ctx.db, viewer.userId)
  if (!user?.application_id || user.application_id !== caller?.app?.id) throw fail('forbidden', WRONG_APP)
  if (user.confirmed && !user.unconfirmed_email) throw fail('forbidden', NOTHING)
  const other = await newAddress(ctx, user, email ?? '')
  await orTaken(ctx.db.tx((tx) => (other ? requestEmail(ctx, tx, user, other) : sendConfirmation(ctx, tx, user))))
  return {}
})

/** Returns the confirmed e-mail addresses of local accounts. The caller sends e-mails about notifications to them. */
export const getEmails = handle(emailsOf, async (ctx, _viewer, { ids }) => ({
  people: (await usersByAccountIds(ctx.db, ids)).flatMap((row) =>
    row.confirmed && row.approved
      ? [
          {
            id: row.account_id,
            email: row.email,
            username: row.username,
            locale: row.locale,
            usable: stateOf(row) === 'ok',
            closed: row.disabled || row.suspended || row.memorial,
          },
        ]
      : [],
  ),
}))

/** Returns a page of ids of local accounts with a confirmed e-mail address. */
export const pageEmails = handle(emailPage, async (ctx, _viewer, { after, limit }) => {
  const ids = await addressedAfter(ctx.db, after ?? '0', limit)
  return { ids, next: ids.length === limit ? (ids.at(-1) ?? null) : null }
})

/**
 * Creates the confirmation e-mail again if the address is unconfirmed. Neither the response nor its time shows whether
 * an e-mail was created (D005).
 */
export const resendByAddress = handle(resendEmail, (ctx, _viewer, { email }) =>
  inConstantTime(ctx, 'a confirmation mail was not written again', async () => {
    const user = await emailByAddress(ctx.db, email.trim())
    if (user && !user.confirmed) await ctx.db.tx((tx) => sendConfirmation(ctx, tx, user))
  }),
)

/** Returns the e-mail address of the signed-in user, and the unconfirmed one. */
export const showEmailState = handle(emailState, async (ctx, _viewer, { session }) => {
  const user = await emailOfUser(ctx.db, (await signedIn(ctx, session)).user_id)
  if (!user) throw notFound()
  return { email: user.email, unconfirmed: user.unconfirmed_email, confirmed: user.confirmed }
})
