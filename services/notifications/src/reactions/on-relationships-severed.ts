/** A person who lost followers or follows by a decision is told, once for each decision. */
import { relationshipsSevered } from '@murmuration/contracts/accounts'
import { sources } from '../changes/news.js'
import { notify } from '../changes/notify.js'
import { react } from '../doors.js'
import type { SeveranceFacts } from '../views/detail.js'

export const onRelationshipsSevered = react(relationshipsSevered, 'on-relationships-severed', async (ctx, e) => {
  const detail: SeveranceFacts = { severance: e.id }
  await notify(ctx, e, e.account, [
    {
      type: 'severed_relationships',
      recipients: [e.account],
      source: sources.severance(e.id),
      status: null,
      detail,
      at: e.at,
    },
  ])
})
