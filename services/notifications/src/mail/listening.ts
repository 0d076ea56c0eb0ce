/** Checks whether the recipient of an e-mail has an open stream. */
import type { MailChoice } from '@murmuration/contracts/notifications'
import { listeningAccounts } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'

/**
 * Whether the account has an open stream. False if the request to the streaming service fails. If the account wants
 * e-mails in any case, returns false without a request.
 */
export const isListening = async (
  ctx: Pick<Context, 'call'>,
  choice: MailChoice,
  account: string,
): Promise<boolean> => {
  if (choice.always) return false
  const { listening } = await ctx
    .call(listeningAccounts, { accounts: [account] }, { timeoutMs: 2_000 })
    .catch(() => ({ listening: [] }))
  return listening.length > 0
}
