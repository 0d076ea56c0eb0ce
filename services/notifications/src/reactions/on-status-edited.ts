/** Who is mentioned only since the edit is told, and people here who boosted or quoted what changed. */
import { tellBoostersJob, tellQuotersJob } from '@murmuration/contracts/notifications'
import { statusEdited } from '@murmuration/contracts/statuses'
import { sources } from '../changes/news.js'
import { goOn } from '../changes/next-page.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'

export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  await notify(ctx, e, e.author, [
    {
      type: 'mention',
      recipients: e.added ?? [],
      participants: e.mentions,
      direct: e.visibility === 'direct',
      source: sources.status(e.id),
      status: e.id,
      at: e.at,
    },
  ])
  if (e.visibility === 'direct') return
  const told = { status: e.id, author: e.author, at: e.at }
  await goOn(ctx, e, tellBoostersJob, told)
  await goOn(ctx, { ...e, consumer: `${e.consumer}:quoters` }, tellQuotersJob, told)
})
