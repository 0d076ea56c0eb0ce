/** Handlers that show what became of the deliveries of an activity or a status. */
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { deliveryExplain, deliveryOfStatus } from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'
import { statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { statusThing } from '../core/compaction.rules.js'
import { handle } from '../handlers.js'
import { states } from './delivery.store.js'
import {
  type ActivityRow,
  activitiesOn,
  countsOf,
  deliveriesOf,
  foldedServersOf,
  serversOf,
} from './delivery-report.store.js'

/** Activities per object that are read. An object has a Create, its latest edits and a Delete. */
const MOST_ACTIVITIES = 50

const pagePath = /^\/(?:@[^/]+|users\/[^/]+\/statuses)\/(\d{1,19})\/?$/

/** Activities about the status of this page. Operators copy the address of the page from the browser. */
const activitiesOnPage = async (ctx: Context, address: string): Promise<ActivityRow[]> => {
  const host = hostOf(address)
  const [, id = ''] = (host !== null && ctx.self.ownHosts.has(host) && pagePath.exec(new URL(address).pathname)) || []
  if (!isId(id)) return []
  const [status] = (await ctx.call(statusRecords, { ids: [id] })).records
  return status === undefined ? [] : activitiesOn(ctx.db, statusThing(status.uri), MOST_ACTIVITIES)
}

export const explain = handle(deliveryExplain, async (ctx, _viewer, { activity, limit }) => {
  if (activity === '') return { activities: [] }
  const named = await activitiesOn(ctx.db, activity, MOST_ACTIVITIES)
  const found = named.length > 0 ? named : await activitiesOnPage(ctx, activity)
  const ids = found.map((it) => it.id)
  const [counts, deliveries] = await Promise.all([countsOf(ctx.db, ids), deliveriesOf(ctx.db, ids, limit)])
  const stateOf = (number: number) => states[number] ?? 'pending'
  return {
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
      }
    }),
  }
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
