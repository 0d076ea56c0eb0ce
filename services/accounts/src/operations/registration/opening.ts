/** Whether and how somebody may sign up now, for the page that asks. */
import { registrationOpening } from '@murmuration/contracts/accounts'
import { isOpen, termsOf } from '../../changes/sign-up.js'
import { reasonWanted } from '../../domain/sign-up.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { goodInvite } from '../../views/invite.js'

export const showOpening = handle(registrationOpening, async (ctx, _viewer, { invite_code: code, ip }) => {
  const invite = code ? await goodInvite(ctx, code) : null
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
