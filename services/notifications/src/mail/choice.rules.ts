/** Rules for e-mails about notifications: the preferences of the recipient, and the delay. */
import { type MailChoice, MailedType } from '@murmuration/contracts/notifications'
import { isMailedByDefault } from '../core/type.rules.js'

/** E-mail preferences of accounts that never changed them. */
export const DEFAULT_MAIL_CHOICE: MailChoice = {
  types: MailedType.options.filter(isMailedByDefault),
  always: false,
  daily: false,
}

/** Milliseconds between a notification and its e-mail. If the recipient reads the notification in this time, no e-mail is sent. */
export const SOON_MS = 120_000
const DAY_MS = 86_400_000

/**
 * Milliseconds until an e-mail about a notification is sent; null if none is sent. `seen`: the recipient gets the
 * notification by push or on a stream.
 */
export const mailDelay = (choice: MailChoice, type: string, seen: boolean): number | null => {
  const mailed = MailedType.safeParse(type)
  if (!mailed.success || !choice.types.includes(mailed.data) || (seen && !choice.always)) return null
  return choice.daily ? DAY_MS : SOON_MS
}
