/** Somebody's archive can be fetched: they are told by mail. */
import { archiveReady } from '@murmuration/contracts/federation'
import { queueMail } from '../changes/mail.js'
import { react } from '../doors.js'

export const onArchiveReady = react(archiveReady, 'on-archive-ready', (ctx, e) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, { kind: 'archive', source: `archive:${e.id}`, recipient_id: e.account, facts: {} }),
  ),
)
