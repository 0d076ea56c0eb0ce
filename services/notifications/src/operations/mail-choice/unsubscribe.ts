/** Ends mails about notifications, by the link that each of them carries. */
import { mailUnsubscribe } from '@murmuration/contracts/notifications'
import { readSignedId } from '@murmuration/kernel'
import { handle } from '../../doors.js'
import { mailChoiceOf, putMailChoice } from '../../store/mail-choice.js'

export const unsubscribeMail = handle(mailUnsubscribe, async (ctx, _viewer, { token }) => {
  const account = readSignedId(ctx.secrets.mail, token, ctx.clock.now())
  if (account === null) return { done: false }
  await putMailChoice(ctx.db, account, { ...(await mailChoiceOf(ctx.db, account)), types: [] })
  return { done: true }
})
