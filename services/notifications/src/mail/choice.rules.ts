/** When an e-mail is sent about a notification: the choice of the recipient, and how long to wait until it is seen. */
import { type MailChoice, MailedType } from '@murmuration/contracts/notifications'
import { isMailedByDefault } from '../core/type.rules.js'

/** Of people who never chose. */
export const usualMailChoice: MailChoice = {
  types: MailedType.options.filter(isMailedByDefault),
  always: false,
  daily: false,
}

/** The time that people have to see it first. */
export const SOON_MS = 120_000
const DAY_MS = 86_400_000

/** Milliseconds to wait before writing; null when nobody is written to. `seen`: a device is told. */
export const mailDelay = (choice: MailChoice, type: string, seen: boolean): number | null => {
  const mailed = MailedType.safeParse(type)
  if (!mailed.success || !choice.types.includes(mailed.data) || (seen && !choice.always)) return null
  return choice.daily ? DAY_MS : SOON_MS
}
