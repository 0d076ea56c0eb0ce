/** Handlers that show the deliveries of an activity or a status. */

import { deliveryOfStatus, explainDelivery } from '@murmuration/contracts/federation'
import { invalidField, notFound, type ResultOf } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'
import { statusRecords } from '@murmuration/contracts/statuses'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { statusUriOf } from '../core/activity/compaction.rules.js'
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
import { localAccount, statusesOf } from './explained-account.js'
import { type AtAddress, activitiesAt } from './explained-address.js'
import { endedOf, endsAmong, endsByActivity } from './explained-deletion.rules.js'
import { endedDeliveries } from './explained-deletion.store.js'
import { isBlocked, lookUpHosts } from './named-host.js'
import { noDeliveryReasonOf } from './no-delivery.rules.js'

interface Read {
  counts: Awaited<ReturnType<typeof countsOf>>
  deliveries: DeliveryRow[]
  /**
   * Number of inboxes that the activity reached; 0 unless its deliveries are folded (replaced by a list of reached
   * inboxes).
   */
  reached(it: FoundActivity): number
}

const readAll = async (ctx: Context, found: readonly FoundActivity[], limit: number): Promise<Read> => {
  const ids = found.map((it) => it.id)
  const [counts, deliveries] = await Promise.all([
    countsOf(ctx.db, ids, null),
    deliveriesOf(ctx.db, ids, { limit, queues: null }),
  ])
  return { counts, deliveries, reached: (it) => it.reached ?? 0 }
}

/**
 * Like `readAll`, but only for the hosts of these host queues. An empty list means that no activity was ever sent to
 * the hosts.
 */
const readHosts = async (
  ctx: Context,
  found: readonly FoundActivity[],
  { limit, queues }: { limit: number; queues: readonly string[] },
): Promise<Read> => {
  if (queues.length === 0) return { counts: [], deliveries: [], reached: () => 0 }
  const ids = found.map((it) => it.id)
  const folded = found.flatMap((it) => (it.reached === null ? [] : [it.id]))
  const [counts, deliveries, reached] = await Promise.all([
    countsOf(ctx.db, ids, queues),
    deliveriesOf(ctx.db, ids, { limit, queues }),
    reachedIn(ctx.db, folded, queues),
  ])
  return { counts, deliveries, reached: (it) => reached.get(it.id) ?? 0 }
}

type Explained = ResultOf<(typeof explainDelivery)['output']>

/** The found activities with their deliveries, in the form of the API response. */
const shown = ({ found, family }: AtAddress, { counts, deliveries, reached }: Read): Explained['activities'] => {
  const stateOf = (number: number) => states[number] ?? 'pending'
  const boosts = new Set(family?.listed.flatMap((it) => (it.reblog_of === null ? [] : [statusUriOf(it.uri)])))
  return found.map((it) => {
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
  })
}

/** Deleted statuses and undone boosts, with their earlier deliveries and the deliveries of the Delete or Undo. */
const endedAt = async (
  ctx: Context,
  { found, family }: AtAddress,
  queues: readonly string[] | null,
): Promise<Pick<Explained, 'ended'>> => {
  const ends = family === null ? endsByActivity(found) : endsAmong(family.listed)
  if (ends.length === 0) return {}
  const rows = await endedDeliveries(
    ctx.db,
    ends.map((it) => it.about),
    queues,
  )
  return { ended: endedOf(ends, rows, ctx.clock.date()) }
}

const explainAddress = async (
  ctx: Context,
  address: string,
  { limit, host, by }: { limit: number; host: string | null; by: string | null },
): Promise<Explained> => {
  const account = by === null ? null : await localAccount(ctx, by)
  const [at, named] = await Promise.all([
    activitiesAt(ctx, address, account?.id ?? null),
    host === null ? null : lookUpHosts(ctx, host),
  ])
  const [read, ended] = await Promise.all([
    named === null ? readAll(ctx, at.found, limit) : readHosts(ctx, at.found, { limit, queues: named.queues }),
    endedAt(ctx, at, named?.queues ?? null),
  ])
  const activities = shown(at, read)
  const sent = new Set(
    at.found.flatMap((it, i) => (Object.values(activities[i]?.counts ?? {}).some((n) => n > 0) ? [it.about] : [])),
  )
  const one = named && {
    blocked: isBlocked(named.looked_at),
    folded: at.found.some((it) => it.reached !== null),
  }
  const none = noDeliveryReasonOf(at.family, sent, { host: one, isKnown: at.found.length > 0 })
  const isUnknown = none.reasons?.some((reason) => reason === 'unknown' || reason === 'not-boosted')
  return {
    activities,
    ...(account && { by: account.id }),
    ...(at.family?.moreBoosts && { more_boosts: true }),
    ...none,
    ...ended,
    ...(isUnknown && { ended_since: at.since.toISOString() }),
    ...(at.endsFrom && { ends_from: at.endsFrom.toISOString() }),
    ...(named && { looked_at: named.looked_at }),
  }
}

const DAY_MS = 86_400_000

export const explain = handle(explainDelivery, async (ctx, _viewer, { activity, limit, host, by, since }) => {
  if (activity !== '') return explainAddress(ctx, activity, { limit, host: host || null, by: by || null })
  if (!by) return { activities: [], ...(host && { looked_at: (await lookUpHosts(ctx, host)).looked_at }) }
  const from = since ? readTime(since) : ctx.clock.now() - DAY_MS
  if (!Number.isFinite(from)) throw invalidField('Since is not a time')
  return { activities: [], ...(await statusesOf(ctx, await localAccount(ctx, by), from)) }
})

/** `GET /api/v1/statuses/:id/deliveries`: number of servers that received a status, for its author and for staff. */
export const ofStatus = handle(deliveryOfStatus, async (ctx, viewer, { id }) => {
  const [status] = (await ctx.call(statusRecords, { ids: [id] })).records
  const isStaff = can(viewer.permissions, 'manage_federation')
  if (status === undefined || status.deleted || !status.local || (status.author !== viewer.id && !isStaff))
    throw notFound()
  const about = statusUriOf(status.uri)
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
