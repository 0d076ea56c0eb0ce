/** Who is mentioned only since the edit is told, and people here who boosted what changed. */
import { tellBoostersJob } from '@murmuration/contracts/notifications'
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
  if (e.visibility !== 'direct') await goOn(ctx, e, tellBoostersJob, { status: e.id, author: e.author, at: e.at })
})
