/** Whether a recipient sees on a live stream what an e-mail would say. */
import type { MailChoice } from '@murmuration/contracts/notifications'
import { peopleListening } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'

/** Not asked for accounts that want e-mails in any case. If presence is unknown, the e-mail is sent. */
export const seesItLive = async (ctx: Pick<Context, 'call'>, choice: MailChoice, account: string): Promise<boolean> => {
  if (choice.always) return false
  const { listening } = await ctx
    .call(peopleListening, { accounts: [account] }, { timeoutMs: 2_000 })
    .catch(() => ({ listening: [] }))
  return listening.length > 0
}
