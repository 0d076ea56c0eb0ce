/** A person whom staff warned or restricted is told, unless staff chose to say nothing. */
import { strikeCreated } from '@murmuration/contracts/admin'
import { queueMail } from '../changes/mail.js'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'
import type { WarningFacts } from '../views/detail.js'

export const onStrikeCreated = react(strikeCreated, 'on-strike-created', async (ctx, e) => {
  if (!e.targetLocal || !e.tell) return
  const detail: WarningFacts = {
    id: e.id,
    target: e.target,
    action: e.action,
    text: e.text,
    status_ids: e.statusIds.length ? e.statusIds : null,
    created_at: new Date(e.at).toISOString(),
  }
  await ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'strike',
      source: `strike:${e.id}`,
      recipient_id: e.target,
      facts: { strike: e.id, action: e.action, text: e.text },
    }),
  )
  await notify(ctx, e, e.target, [
    {
      type: 'moderation_warning',
      recipients: [e.target],
      source: sources.strike(e.id),
      status: null,
      detail,
      changes: true,
      at: e.at,
    },
  ])
})
