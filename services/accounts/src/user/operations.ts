/** Handlers with which staff and operators change users of local accounts. */
import {
  changeUserEmail,
  confirmUser,
  disableUserSecondFactor,
  memorializeUser,
  resetUserPassword,
} from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { deleteOtherSessions } from '../core/session/store.js'
import { cancelEmailChange, confirmAddress, newAddress, orTaken, requestEmail } from '../email/index.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import { changePassword } from '../password/index.js'
import { factorsOf, removeFactors } from '../second-factor/index.js'
import { changeUser } from './change.js'
import { markMemorial } from './memorial.js'

export const changeEmailOfUser = handle(changeUserEmail, async (ctx, viewer, { id, email, confirm }) => {
  // Checks the rank of the staff member before the address is validated. Because the validation queries DNS, no row is
  // locked during it.
  const known = await changeUser(ctx, viewer, id, async (_tx, user) => ({ act: null, result: user }))
  const address = await newAddress(ctx, known, email)
  await orTaken(
    changeUser(ctx, viewer, id, async (tx, user) => {
      if (address === null) {
        // With the present address, staff cancel a change to another one.
        const isCancelled = email.trim() !== '' && (await cancelEmailChange(tx, user.user_id))
        return { act: isCancelled ? { action: 'change_email_user', after: { confirm } } : null, result: null }
      }
      if (confirm) {
        await confirmAddress(ctx, tx, user, address)
        // The user gets an e-mail about the change at the previous address.
        if (user.confirmed) await writeMail(ctx, tx, user, 'email-changed', { values: { email: address } })
      } else await requestEmail(ctx, tx, user, address)
      const act = {
        action: 'change_email_user' as const,
        after: { confirm },
      }
      return { act, result: null }
    }),
  )
  return {}
})

export const confirm = handle(confirmUser, async (ctx, viewer, { id }) => {
  await orTaken(
    changeUser(ctx, viewer, id, async (tx, user) => {
      const email = user.confirmed ? user.unconfirmed_email : user.email
      if (email === null) return { act: null, result: null }
      await confirmAddress(ctx, tx, user, email)
      return { act: { action: 'confirm_user' }, result: null }
    }),
  )
  return {}
})

export const memorialize = handle(memorializeUser, (ctx, viewer, { id }) =>
  changeUser(ctx, viewer, id, async (tx) => {
    const isChanged = await markMemorial(ctx, tx, id, true)
    const change = { before: { memorial: false }, after: { memorial: true } }
    return { act: isChanged ? { action: 'memorialize_account', ...change } : null, result: {} }
  }),
)

export const resetPasswordOfUser = handle(resetUserPassword, async (ctx, viewer, { id, show }) => {
  if (show && viewer) throw fail('forbidden', 'This action is not allowed')
  const password = show ? ctx.tokens.random() : null
  const digest = password === null ? null : await ctx.passwords.hash(password)
  return changeUser(ctx, viewer, id, async (tx, user) => {
    await changePassword(ctx, tx, user, digest, 'staff')
    if (!show) await writeMail(ctx, tx, user, 'password-reset')
    return { act: { action: 'reset_password_user' }, result: { password } }
  })
})

export const disableSecondFactor = handle(disableUserSecondFactor, (ctx, viewer, { id, dry_run }) =>
  changeUser(ctx, viewer, id, async (tx, user) => {
    if (dry_run) return { act: null, result: { removed: (await factorsOf(tx, user.user_id)) !== null } }
    const removed = await removeFactors(ctx, tx, user.user_id, viewer === null ? 'operator' : 'staff')
    if (removed) {
      await deleteOtherSessions(tx, user.user_id, null)
      await writeMail(ctx, tx, user, 'second-factor-disabled')
    }
    return { act: removed ? { action: 'disable_2fa_user' } : null, result: { removed } }
  }),
)
