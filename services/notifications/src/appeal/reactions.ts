/** Event handler for appeals: updates the notification of the strike, and e-mails staff (new appeal) or the account holder (decision). */
import { rolesOf } from '@murmuration/contracts/accounts'
import { appealChanged } from '@murmuration/contracts/admin'
import type { ReactionEvent } from '@murmuration/kernel'
import { sources } from '../candidate/index.js'
import type { Context } from '../context.js'
import { keys, lockExclusive } from '../core/barrier.store.js'
import type { WarningChange } from '../core/detail.js'
import { mergeSourceState, storeSourceState } from '../core/source-state.store.js'
import { react } from '../handlers.js'
import { queueMails } from '../mail/index.js'

type Changed = ReactionEvent<typeof appealChanged>

/** Returns the e-mails to queue about an appeal: one to each staff member if the appeal is pending, else one to the account holder. */
const mailsFor = async (ctx: Pick<Context, 'call'>, e: Changed) => {
  if (e.state !== 'pending')
    return [
      {
        kind: 'appeal-decided' as const,
        source: `appeal-decided:${e.id}`,
        recipient_id: e.target,
        values: { state: e.state, action: e.action },
      },
    ]
  const { accountIds } = await ctx.call(rolesOf, { permission: 'manage_appeals' })
  // Staff members do not decide about appeals of their own accounts, so they get no e-mail about such appeals.
  return accountIds
    .filter((id) => id !== e.target)
    .map((recipient_id) => ({
      kind: 'appeal' as const,
      source: `appeal:${e.id}:${recipient_id}`,
      recipient_id,
      values: { appeal: e.id, target: e.target, text: e.text },
    }))
}

export const onAppealChanged = react(appealChanged, 'on-appeal-changed', async (ctx, e) => {
  const mails = await mailsFor(ctx, e)
  const change: WarningChange = { appeal: { text: e.text, state: e.state }, rev: e.eventId }
  const source = sources.strike(e.strike)
  await ctx.db.tx(async (tx) => {
    await queueMails(ctx, tx, mails)
    // The reaction to the strike takes the same lock, because it may create the notification of the strike concurrently.
    await lockExclusive(tx, [keys.undone(source)])
    if (await storeSourceState(tx, source, change)) await mergeSourceState(tx, source)
  })
})
