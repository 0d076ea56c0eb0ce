/** Queues e-mails: inserts one row per subject, and queues the job that composes and sends the e-mail. */
import { sendMailJob } from '@murmuration/contracts/notifications'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertMails, type MailRow } from './store.js'

type NewMail = Pick<MailRow, 'kind' | 'recipient_id' | 'values'> & { source: string }

export const queueMails = async (
  ctx: Pick<Context, 'ids' | 'clock' | 'queue'>,
  tx: Tx,
  mails: readonly NewMail[],
): Promise<void> => {
  if (mails.length === 0) return
  const created_at = ctx.clock.date()
  const fresh = await insertMails(
    tx,
    mails.map((mail) => ({ ...mail, id: ctx.ids.next(), created_at })),
  )
  await ctx.queue(tx, sendMailJob, ...fresh.map((mail) => ({ mail })))
}

export const queueMail = (ctx: Pick<Context, 'ids' | 'clock' | 'queue'>, tx: Tx, mail: NewMail): Promise<void> =>
  queueMails(ctx, tx, [mail])
