/** Handlers that show the deliveries of an activity or a status. */
import { deliveryExplain, deliveryOfStatus } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'
import { statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { statusThing } from '../core/compaction.rules.js'
import { hostStanding } from '../core/hosts.js'
import { handle } from '../handlers.js'
import { states } from './delivery.store.js'
import {
  countsOf,
  type DeliveryRow,
  deliveriesOf,
  type FoundActivity,
  foldedServersOf,
  reachedIn,
  serversOf,
} from './delivery-report.store.js'
import { activitiesAt } from './explained-address.js'
import { hostNamed } from './host.rules.js'
import { laneOfHost } from './lane.store.js'
import { nothingSent } from './no-delivery.rules.js'

interface Read {
  counts: Awaited<ReturnType<typeof countsOf>>
  deliveries: DeliveryRow[]
  /** Number of inboxes that a folded activity reached. */
  reached(it: FoundActivity): number
}

const readAll = async (ctx: Context, found: readonly FoundActivity[], limit: number): Promise<Read> => {
  const ids = found.map((it) => it.id)
  const [counts, deliveries] = await Promise.all([
    countsOf(ctx.db, ids, null),
    deliveriesOf(ctx.db, ids, { limit, lane: null }),
  ])
  return { counts, deliveries, reached: (it) => it.reached ?? 0 }
}

/** Like `readAll`, for one host. A host without a lane never received an activity. */
const readHost = async (
  ctx: Context,
  found: readonly FoundActivity[],
  { limit, host }: { limit: number; host: string },
): Promise<Read> => {
  const lane = await laneOfHost(ctx.db, host)
  if (lane === null) return { counts: [], deliveries: [], reached: () => 0 }
  const ids = found.map((it) => it.id)
  const folded = found.flatMap((it) => (it.reached === null ? [] : [it.id]))
  const [counts, deliveries, reached] = await Promise.all([
    countsOf(ctx.db, ids, lane),
    deliveriesOf(ctx.db, ids, { limit, lane }),
    reachedIn(ctx.db, folded, lane),
  ])
  return { counts, deliveries, reached: (it) => reached.get(it.id) ?? 0 }
}

export const explain = handle(deliveryExplain, async (ctx, _viewer, { activity, limit, host: named }) => {
  if (activity === '') return { activities: [] }
  const { found, family } = await activitiesAt(ctx, activity)
  const host = named ? hostNamed(named) : null
  const { counts, deliveries, reached } =
    host === null ? await readAll(ctx, found, limit) : await readHost(ctx, found, { limit, host })
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
          delivered: count('delivered') + reached(it),
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
  const one =
    host === null
      ? null
      : {
          blocked: hostStanding(ctx, host) === 'blocked',
          isKnown: found.length > 0,
          folded: found.some((it) => it.reached !== null),
        }
  return { ...answer, ...nothingSent(family, sent, one) }
})

/** `GET /api/v1/statuses/:id/deliveries`: number of servers that received a status, for its author and for staff. */
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
