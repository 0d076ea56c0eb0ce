/** Handlers for staff: the health of hosts, retries, and giving up the pending deliveries of a host. */

import { domainTies, inboxHosts } from '@murmuration/contracts/accounts'
import type { AuditAction } from '@murmuration/contracts/admin'
import {
  deliverJob,
  deliveryState,
  dropDeliveriesOfHost,
  federationHealth,
  type HostDetail,
  hostManaged,
  listHosts,
  retryHost as retryHostOperation,
  showHost,
} from '@murmuration/contracts/federation'
import { invalidField, notFound, pageReply, toJson, type Viewer } from '@murmuration/contracts/kit'
import { endsOf, type Tx } from '@murmuration/db'
import { inSteps } from '@murmuration/kernel'
import { registeredDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { hostAccess, hostRule, notReady } from '../core/host/hosts.js'
import { handle } from '../handlers.js'
import { giveUpHostQueues, MAX_ROWS_PER_HOST_QUEUE } from './delivery.store.js'
import { heldCounts } from './delivery-report.store.js'
import { filterOf, heldOf, hostNamed } from './host.rules.js'
import { hostStateOf, isoOf, timeOfSeq } from './host.view.js'
import { hostQueueOf } from './host-queue.store.js'
import { federationNumbers, hostPage, hostStates, inboundOf, retryHost, waitingFor } from './host-report.store.js'
import { countAbandoned } from './metrics.js'

/** Announces an action of staff on a host, for the audit log. `by` is null for operators. */
const announceManaged = (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  action: AuditAction,
  it: { hostQueue: string; host: string; waiting: number },
): Promise<void> =>
  ctx.announce(tx, hostManaged, {
    by: by?.id ?? null,
    action,
    targetId: it.hostQueue,
    target: it.host,
    before: { waiting: it.waiting },
    after: null,
  })

export const health = handle(federationHealth, async (ctx) => {
  const found = await federationNumbers(ctx.db, ctx.clock.date())
  return {
    hosts: found?.hosts ?? 0,
    failing: found?.failing ?? 0,
    held: found?.held ?? 0,
    unavailable: found?.unavailable ?? 0,
    waiting: found?.waiting ?? 0,
    oldest: timeOfSeq(found?.oldest_seq ?? null),
    refused_today: Number(found?.refused_today ?? 0),
  }
})

export const list = handle(listHosts, async (ctx, _viewer, { state, domain, ...page }) => {
  const now = ctx.clock.date()
  const part = domain ? hostNamed(domain) : null
  const rows = await hostPage(ctx.db, { state: filterOf(state), part, now }, page)
  const ids = rows.map((row) => row.id)
  return pageReply(
    listHosts.output,
    rows.map((row) => toJson(hostStateOf(row, now))),
    endsOf(ids, page),
  )
})

export const state = handle(deliveryState, async (ctx, _viewer, { limit, host: named, unavailable }) => {
  const host = named ? hostNamed(named) : null
  const [counts, rows] = await Promise.all([heldCounts(ctx.db), hostStates(ctx.db, { limit, host, unavailable })])
  return { ...counts, hosts: rows.map((row) => hostStateOf(row, ctx.clock.date())) }
})

/** Maximum up to which the accounts of a host, and follows with them, are counted. */
const MAX_TIES = 10_000

/**
 * Accounts of a host, and follows between them and local accounts. Counts accounts with the host as domain of their
 * handles, and accounts of other domains whose actor ids have the host. If the accounts service does not respond, both
 * numbers are unknown.
 */
const tiesOf = async (ctx: Context, host: string): Promise<Pick<HostDetail, 'ties' | 'domains'>> => {
  const own = host.replace(/:\d+$/, '')
  const none: string[] = []
  // An accounts service of an older release does not return the other domains of a host.
  const { domains: others } = await ctx.call(inboxHosts, { name: host }).catch(() => ({ domains: none }))
  // The counts of a domain include its subdomains.
  const all = [...new Set([own, ...others])]
  const domains = all.filter((one) => !all.some((other) => one.endsWith(`.${other}`)))
  const counted = await ctx.call(domainTies, { domains }).catch(() => null)
  const sum = (which: 'accounts' | 'following' | 'followers') =>
    Math.min(MAX_TIES, counted?.ties.reduce((total, one) => total + one[which], 0) ?? 0)
  return {
    ties: counted && { accounts: sum('accounts'), following: sum('following'), followers: sum('followers') },
    ...(others.length > 0 && { domains: others }),
  }
}

const detailOf = async (ctx: Context, host: string): Promise<HostDetail> => {
  const rule = hostRule(ctx, host)
  const [rows, inbound, ties] = await Promise.all([
    hostStates(ctx.db, { limit: 1, host, unavailable: false }),
    inboundOf(ctx.db, host, registeredDomain(host)),
    tiesOf(ctx, host),
  ])
  const [row] = rows
  if (row === undefined) throw notFound()
  const found = hostStateOf(row, ctx.clock.date())
  const blocked = hostAccess(ctx, host) === 'blocked'
  return {
    ...found,
    held: heldOf(found.circuit, blocked),
    rule: rule && {
      domain: rule.domain,
      severity: rule.severity,
      reject_media: rule.reject_media,
      reject_reports: rule.reject_reports,
    },
    blocked,
    received_at: isoOf(inbound.at),
    held_activities: inbound.held,
    ...ties,
  }
}

export const show = handle(showHost, (ctx, _viewer, { host }) => detailOf(ctx, hostNamed(host)))

export const retry = handle(retryHostOperation, async (ctx, viewer, { host: named }) => {
  const host = hostNamed(named)
  const hostQueue = await hostQueueOf(ctx.db, host)
  if (hostQueue === null) throw notFound()
  const access = hostAccess(ctx, host)
  if (access === 'unknown') throw notReady()
  if (access === 'blocked') throw invalidField('Host is blocked')
  const waiting = await waitingFor(ctx.db, hostQueue)
  await ctx.db.tx(async (tx) => {
    await retryHost(tx, hostQueue, ctx.clock.date())
    await ctx.queue(tx, deliverJob, { lanes: [hostQueue] })
    await announceManaged(ctx, tx, viewer, 'retry_host', { hostQueue, host, waiting })
  })
  return detailOf(ctx, host)
})

/**
 * Maximum number of deliveries that one step gives up, and of steps per request. The caller repeats the request for
 * further deliveries.
 */
const STEPS = { size: MAX_ROWS_PER_HOST_QUEUE, steps: 10 }
/** Time after which a request begins no further step of giving up deliveries, so that it ends before its time-out. */
const WORK_MS = 5_000

export const drop = handle(dropDeliveriesOfHost, async (ctx, viewer, { host: named, dry_run }) => {
  const host = hostNamed(named)
  const hostQueue = await hostQueueOf(ctx.db, host)
  if (hostQueue === null) throw notFound()
  const waiting = await waitingFor(ctx.db, hostQueue)
  if (dry_run || waiting === 0) return { host, given_up: dry_run ? waiting : 0, more: false }
  const endsAt = performance.now() + WORK_MS
  let more = true
  let isFirst = true
  const given_up = await inSteps(STEPS, async (size) => {
    if (performance.now() >= endsAt) return 0
    const done = await ctx.db.tx(async (tx) => {
      if (isFirst) await announceManaged(ctx, tx, viewer, 'drop_deliveries', { hostQueue, host, waiting })
      return giveUpHostQueues(tx, [hostQueue], ctx.clock.date())
    })
    countAbandoned('dropped', done)
    isFirst = false
    more = done >= size
    return done
  })
  return { host, given_up, more }
})
