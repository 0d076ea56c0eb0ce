/** Handlers that show what became of the deliveries of an activity or a status. */
import { deliveryExplain, deliveryOfStatus } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'
import { statusRecords } from '@murmuration/contracts/statuses'
import { statusThing } from '../core/compaction.rules.js'
import { handle } from '../handlers.js'
import { states } from './delivery.store.js'
import { countsOf, deliveriesOf, foldedServersOf, serversOf } from './delivery-report.store.js'
import { activitiesAt } from './explained-address.js'
import { nothingSent } from './no-delivery.rules.js'

export const explain = handle(deliveryExplain, async (ctx, _viewer, { activity, limit }) => {
  if (activity === '') return { activities: [] }
  const { found, family } = await activitiesAt(ctx, activity)
  const ids = found.map((it) => it.id)
  const [counts, deliveries] = await Promise.all([countsOf(ctx.db, ids), deliveriesOf(ctx.db, ids, limit)])
  const stateOf = (number: number) => states[number] ?? 'pending'
  const boosts = new Set(family?.boosts.map((it) => statusThing(it.uri)))
  const answer = {
    activities: found.map((it) => {
      const counted = counts.filter((one) => one.activity_id === it.id)
      const listed = deliveries.filter((one) => one.activity_id === it.id)
      const count = (state: (typeof states)[number]) => counted.find((one) => stateOf(one.state) === state)?.n ?? 0
      return {
        uri: it.uri,
        kind: it.kind,
        created_at: it.created_at.toISOString(),
        counts: {
          pending: count('pending'),
          delivered: count('delivered') + (it.reached ?? 0),
          refused: count('refused'),
          'gave-up': count('gave-up'),
          replaced: count('replaced'),
        },
        deliveries: listed.map((one) => ({
          inbox: one.inbox,
          host: one.host,
          state: stateOf(one.state),
          attempts: one.attempts,
          status: one.status,
          at: one.at.toISOString(),
        })),
        more: counted.reduce((sum, one) => sum + one.n, 0) - listed.length,
        ...(family?.original && boosts.has(it.about) && { boost_of: family.original.uri }),
      }
    }),
    ...(family?.moreBoosts && { more_boosts: true }),
  }
  const sent = new Set(
    found.flatMap((it, i) => (Object.values(answer.activities[i]?.counts ?? {}).some((n) => n > 0) ? [it.about] : [])),
  )
  return { ...answer, ...nothingSent(family, sent) }
})

/** `GET /api/v1/statuses/:id/deliveries`: on how many other servers a status arrived, for its author and for staff. */
export const ofStatus = handle(deliveryOfStatus, async (ctx, viewer, { id }) => {
  const [status] = (await ctx.call(statusRecords, { ids: [id] })).records
  const isStaff = can(viewer.permissions, 'manage_federation')
  if (status === undefined || status.deleted || !status.local || (status.author !== viewer.id && !isStaff))
    throw notFound()
  const about = statusThing(status.uri)
  const servers = await serversOf(ctx.db, about)
  const folded = servers.length === 0 ? await foldedServersOf(ctx.db, about) : null
  const count = (state: (typeof servers)[number]['state']) => servers.filter((it) => it.state === state).length
  return folded === null
    ? {
        servers: servers.length,
        delivered: count('delivered'),
        pending: count('pending'),
        failed: count('failed'),
        hosts: isStaff ? servers : null,
      }
    : {
        servers: folded.hosts,
        delivered: folded.reached,
        pending: 0,
        failed: Math.max(0, folded.hosts - folded.reached),
        hosts: isStaff ? [] : null,
      }
})
