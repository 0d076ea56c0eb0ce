/** Handlers that change and reset passwords. */
import {
  changePassword as changePasswordOperation,
  requestPasswordReset,
  resetPassword,
} from '@murmuration/contracts/accounts'
import { inConstantTime } from '../core/credential/constant-time.js'
import { problem, refusalOf } from '../core/problem.rules.js'
import { lockSignedIn, signedIn } from '../core/session/signed-in.js'
import { renewSession } from '../core/session/store.js'
import { lockUser, userByEmail, userById } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { countMails, takeLink, userOfLink, writeMail } from '../mail/index.js'
import { changePassword, chosenPassword } from './change.js'

const wrongPassword = () => refusalOf([problem('current_password', 'ERR_INVALID', 'is invalid')])

/** Changes the password of the signed-in user. The session gets a new value, and all other sessions end (A100). */
export const changeOwnPassword = handle(
  changePasswordOperation,
  async (ctx, _viewer, { session, current, password }) => {
    const user = await signedIn(ctx, session)
    if (!(await ctx.passwords.matches(user.password_hash, current))) throw wrongPassword()
    const digest = await chosenPassword(ctx, user.username, password)
    const fresh = ctx.tokens.random()
    await ctx.db.tx(async (tx) => {
      // The session may have ended while the password was checked. Another change of the password ends the session or
      // renews its value.
      const locked = await lockSignedIn(ctx, tx, session, user)
      await changePassword(ctx, tx, locked, digest, 'self', user.session_id)
      await renewSession(tx, user.session_id, ctx.tokens.digest(fresh))
    })
    return { session: fresh }
  },
)

const MAX_MAILS = 5
const WINDOW_MS = 1_800_000

/** Creates an e-mail with a reset link if the user exists. Neither the response nor its time shows whether the user exists (D005). */
export const request = handle(requestPasswordReset, (ctx, _viewer, { email }) =>
  inConstantTime(ctx, 'a mail for a new password was not written', async () => {
    const found = await userByEmail(ctx.db, email.trim())
    if (!found || ctx.config.externalOnly) return
    const since = new Date(ctx.clock.now() - WINDOW_MS)
    await ctx.db.tx(async (tx) => {
      const user = await lockUser(tx, found.user_id)
      // A change of the address deletes the links that were sent to the previous one.
      if (!user || user.memorial || user.email !== found.email) return
      if ((await countMails(tx, user.user_id, ['password-reset'], since)) >= MAX_MAILS) return
      await writeMail(ctx, tx, user, 'password-reset')
    })
  }),
)

/** Sets a new password with a reset link. A second factor stays unchanged (D009). */
export const handleResetPassword = handle(resetPassword, async (ctx, _viewer, { token, password }) => {
  const hash = ctx.tokens.digest(token)
  // The link is only read here, and used up after the new password is accepted. The user can therefore try another
  // password with the same link.
  const userId = await userOfLink(ctx.db, hash, 'reset', ctx.clock.date())
  const user = userId === null ? null : await userById(ctx.db, userId)
  if (!user) return { state: 'used' as const }
  const digest = await chosenPassword(ctx, user.username, password)
  return ctx.db.tx(async (tx) => {
    await lockUser(tx, user.user_id)
    if (!(await takeLink(tx, hash, 'reset', ctx.clock.date()))) return { state: 'used' as const }
    await changePassword(ctx, tx, user, digest, 'link')
    return { state: 'changed' as const }
  })
})
