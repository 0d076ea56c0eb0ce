/** Stores the e-mail preferences of accounts. */
import type { MailChoice, MailedType } from '@murmuration/contracts/notifications'
import { type Reader, sql } from '@murmuration/db'
import { DEFAULT_MAIL_CHOICE } from './choice.rules.js'

/** Returns the e-mail preferences of an account, or the default ones. */
export const mailChoiceOf = async (db: Reader, account: string): Promise<MailChoice> => {
  const row = await db.row<{ types: MailedType[]; always: boolean; daily: boolean }>(
    sql`select types, always, daily from mail_choices where account_id = ${account}`,
  )
  return row ?? DEFAULT_MAIL_CHOICE
}

export const putMailChoice = async (db: Reader, account: string, choice: MailChoice): Promise<void> => {
  await db.run(sql`insert into mail_choices (account_id, types, always, daily)
    values (${account}, ${choice.types}, ${choice.always}, ${choice.daily})
    on conflict (account_id) do update
      set types = excluded.types, always = excluded.always, daily = excluded.daily`)
}
