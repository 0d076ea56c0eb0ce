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
import { tokenById } from '../core/token/store.js'
import { stateOf } from '../core/user/state.rules.js'
import { usersByAccountIds } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { cancelEmailChange, confirmByLink, requestEmail, sendConfirmation } from './confirm.js'
import { newAddress, orTaken } from './new-address.js'
import { addressedAfter, type EmailRow, emailByAddress, emailOfUser, lockEmailOfUser } from './store.js'

/** Requests another e-mail address. A user with a confirmed address must give the password (D009). */
export const handleChangeEmail = handle(changeEmail, async (ctx, _viewer, { session, email, password }) => {
  const browser = await signedIn(ctx, session)
  const before = await emailOfUser(ctx.db, browser.user_id)
  if (!before) throw notFound()
  if (before.confirmed) await requirePassword(ctx, browser, password ?? '')
  const other = await newAddress(ctx, before, email)
  const change = (isVerified: boolean) =>
    orTaken(
      ctx.db.tx(async (tx) => {
        await lockSignedIn(ctx, tx, session, browser)
        const user = await emailOfUser(tx, browser.user_id)
        if (!user) throw notFound()
        const isSame = other === null || other.toLowerCase() === user.email.toLowerCase()
        if (isSame && user.confirmed && (email.trim() === '' || user.unconfirmed_email === null)) return 'same' as const
        if (user.confirmed && !isVerified) return null
        if (isSame && user.confirmed) {
          // With the present address, the user cancels a change to another one.
          await cancelEmailChange(tx, user.user_id)
          return 'same' as const
        }
        await (isSame ? sendConfirmation(ctx, tx, user) : requestEmail(ctx, tx, user, other))
        return 'sent' as const
      }),
    )
  // An address that was confirmed meanwhile can only be changed with the password, too. Because a password is verified
  // slowly, no row is locked during it.
  const verified = async () => {
    await requirePassword(ctx, browser, password ?? '')
    return change(true)
  }
  const state = (await change(before.confirmed)) ?? (await verified())
  if (state === null) throw new Error('the password was verified, but the change requires it again')
  return { state }
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

/** Whether an address of the user waits for its confirmation. */
const isAwaited = (user: EmailRow): boolean => !user.confirmed || user.unconfirmed_email !== null

/**
 * Creates the confirmation e-mail again, optionally to another address. Only for the application that created the account
 * (S-125). An application cannot choose the address that replaces a confirmed one.
 */
export const resendForApp = handle(emailConfirmations, async (ctx, viewer, { email }, { caller }) => {
  const app = caller?.app
  const before = await emailOfUser(ctx.db, viewer.userId)
  if (!app || !before?.application_id || before.application_id !== app.id) throw fail('forbidden', WRONG_APP)
  if (!isAwaited(before)) throw fail('forbidden', NOTHING)
  const other = await newAddress(ctx, before, email ?? '')
  // Only the user can change a confirmed address, with the password (D009).
  const refuseOther = (user: EmailRow): void => {
    if (other !== null && user.confirmed && other.toLowerCase() !== user.unconfirmed_email?.toLowerCase())
      throw fail('forbidden', 'This action is not allowed')
  }
  refuseOther(before)
  await orTaken(
    ctx.db.tx(async (tx) => {
      // The token may have been revoked, or the address confirmed, while the new address was validated.
      const user = await lockEmailOfUser(tx, viewer.userId)
      const token = await tokenById(tx, app.tokenId)
      if (!user || !token || token.revoked_at) throw fail('unauthenticated', 'The access token was revoked')
      if (!isAwaited(user)) throw fail('forbidden', NOTHING)
      refuseOther(user)
      await (other && !user.confirmed ? requestEmail(ctx, tx, user, other) : sendConfirmation(ctx, tx, user))
    }),
  )
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
    const found = await emailByAddress(ctx.db, email.trim())
    if (!found || found.confirmed) return
    await ctx.db.tx(async (tx) => {
      const user = await lockEmailOfUser(tx, found.user_id)
      if (user && !user.confirmed && user.email === found.email) await sendConfirmation(ctx, tx, user)
    })
  }),
)

/** Returns the e-mail address of the signed-in user, and the unconfirmed one. */
export const showEmailState = handle(emailState, async (ctx, _viewer, { session }) => {
  const user = await emailOfUser(ctx.db, (await signedIn(ctx, session)).user_id)
  if (!user) throw notFound()
  return { email: user.email, unconfirmed: user.unconfirmed_email, confirmed: user.confirmed }
})
