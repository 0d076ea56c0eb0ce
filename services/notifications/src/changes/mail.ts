/** A mail begins: its row, once for what it is about, and the job that sends it. */
import { sendMailJob } from '@murmuration/contracts/notifications'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertMail, type MailRow } from '../store/mail.js'

export const queueMail = async (
  ctx: Pick<Context, 'ids' | 'clock' | 'queue'>,
  tx: Tx,
  mail: Pick<MailRow, 'kind' | 'recipient_id' | 'facts'> & { source: string },
): Promise<void> => {
  const id = ctx.ids.next()
  if (await insertMail(tx, { ...mail, id, created_at: ctx.clock.date() }))
    await ctx.queue(tx, sendMailJob, { mail: id })
}
