/** Changes what a person wants to be written about. */
import { mailChoiceChange } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { mailChoiceOf, putMailChoice } from '../../store/mail-choice.js'

export const changeMailChoice = handle(mailChoiceChange, async (ctx, _viewer, { account, ...choice }) => {
  await putMailChoice(ctx.db, account, { ...choice, types: [...new Set(choice.types)] })
  return mailChoiceOf(ctx.db, account)
})
