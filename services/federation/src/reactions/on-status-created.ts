/** Sends a new status or boost of ours to everybody elsewhere who may see it. */
import { statusCreated } from '@murmuration/contracts/statuses'
import { statusInboxes } from '../delivery/audience.js'
import { publish } from '../delivery/publish.js'
import { announceToRelays, relayInboxes } from '../delivery/relay.js'
import { factsOf, statusThing } from '../delivery/status.js'
import { react } from '../doors.js'
import { sourcesOf } from '../views/local.js'
import { activityDocument } from '../views/note.js'

export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (!e.local) return
  const { sources, people } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  // Deleted already: its deletion needs nothing from here.
  if (!source || source.deleted || people.get(source.author)?.suspended !== false) return
  const activity = activityDocument(source, people, ctx.site)
  if (activity === null) return
  await publish(ctx, {
    actorId: e.author,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: activity.type,
    about: statusThing(source.uri),
    forFollowers: source.visibility === 'private',
    inboxes: [...(await statusInboxes(ctx, factsOf(source), people)), ...(await relayInboxes(ctx, source))],
  })
  await announceToRelays(ctx, source, e.eventId)
})
