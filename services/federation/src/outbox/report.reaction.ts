/** Forwards a report to other servers as a Flag of the instance actor, so that the reporter stays anonymous. */

import { limits } from '@murmuration/activitypub/vocabulary/limits'
import { writeFlag } from '@murmuration/activitypub/vocabulary/write-activity'
import { collectionRecords } from '@murmuration/contracts/accounts'
import { reportFiled } from '@murmuration/contracts/admin'
import { statusRecords } from '@murmuration/contracts/statuses'
import { INSTANCE_ACCOUNT } from '../core/address/self.js'
import { react } from '../handlers.js'
import { recordsOf } from './audience.js'
import { publish } from './publish.js'

export const onReportFiled = react(reportFiled, 'on-report-filed', async (ctx, e) => {
  if (e.forward.length === 0) return
  const [{ records: statuses }, { records: collections }] = await Promise.all([
    e.statusIds.length ? ctx.call(statusRecords, { ids: e.statusIds }) : { records: [] },
    e.collectionIds.length ? ctx.call(collectionRecords, { ids: e.collectionIds }) : { records: [] },
  ])
  const parentAuthors = statuses.flatMap((it) => (it.in_reply_to_author === null ? [] : [it.in_reply_to_author]))
  const accounts = await recordsOf(ctx, [e.target, ...parentAuthors])
  const target = accounts.get(e.target)
  if (!target || target.domain === null) return
  // Servers that the reporter selected, among those of the reported account and of the accounts to which the reported
  // statuses reply.
  const receivers = [...accounts.values()].filter((it) => it.domain !== null && e.forward.includes(it.domain))
  const byDomain = new Map(receivers.map((it) => [it.domain, it]))
  if (byDomain.has(target.domain)) byDomain.set(target.domain, target)
  const kept = collections.filter((it) => it.owner === e.target).map((it) => it.uri)
  const written = statuses.filter((it) => it.author === e.target).map((it) => it.uri)
  const activity = writeFlag({
    id: `${ctx.self.instanceActor}#reports/${e.id}`,
    actor: ctx.self.instanceActor,
    objects: [target.uri, ...[...kept, ...written].slice(0, limits.objectsOfFlag - 1)],
    comment: e.comment.slice(0, limits.comment),
  })
  await publish(ctx, {
    actorId: INSTANCE_ACCOUNT,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Flag',
    about: activity.id,
    inboxes: [...byDomain.values()].flatMap((it) => (it.inbox_url === null ? [] : [it.inbox_url])),
  })
})
