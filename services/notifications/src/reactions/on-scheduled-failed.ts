/** A scheduled status could not be published: its author is notified by e-mail. */
import { scheduledFailed } from '@murmuration/contracts/statuses'
import { queueMail } from '../changes/mail.js'
import { react } from '../doors.js'

export const onScheduledFailed = react(scheduledFailed, 'on-scheduled-failed', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'unpublished',
      source: `unpublished:${e.id}:${e.scheduledAt}`,
      recipient_id: e.account,
      facts: { reason: e.reason, at: e.scheduledAt },
    }),
  ),
)
