/** Rules for e-mails about notifications: the preferences of the recipient, and the delay. */
import { type MailChoice, MailedType } from '@murmuration/contracts/notifications'
import { isMailedByDefault } from '../core/type.rules.js'

/** Default e-mail preferences. */
export const usualMailChoice: MailChoice = {
  types: MailedType.options.filter(isMailedByDefault),
  always: false,
  daily: false,
}

/** Delay of an e-mail, within which the recipient may read the notification. */
export const SOON_MS = 120_000
const DAY_MS = 86_400_000

/** Milliseconds until the e-mail is sent; null for none. `seen`: the recipient gets the notification by push or on a stream. */
export const mailDelay = (choice: MailChoice, type: string, seen: boolean): number | null => {
  const mailed = MailedType.safeParse(type)
  if (!mailed.success || !choice.types.includes(mailed.data) || (seen && !choice.always)) return null
  return choice.daily ? DAY_MS : SOON_MS
}
