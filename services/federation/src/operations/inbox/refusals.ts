/** Activities that the inboxes refused lately, by reason, by host and by day, for staff. */

import { readDomain } from '@murmuration/activitypub/vocabulary/uri'
import { inboxRefusals } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { type RefusalRow, refusalDays, refusalsOfHost, refusalsSince, refusingHosts } from '../../store/refusal.js'

const DAY_MS = 86_400_000
const MOST_HOSTS = 100

const counted = <T extends Pick<RefusalRow, 'count' | 'last_at'>>({ count, last_at, ...row }: T) => ({
  ...row,
  count: Number(count),
  last_at: last_at.toISOString(),
})

/** One number for each day of the period. */
const everyDay = (since: number, days: number, found: readonly { day: string; count: string }[]) => {
  const counts = new Map(found.map((one) => [one.day, Number(one.count)]))
  return Array.from({ length: days }, (_, n) => {
    const day = new Date(since + n * DAY_MS).toISOString().slice(0, 10)
    return { day, count: counts.get(day) ?? 0 }
  })
}

export const refusals = handle(inboxRefusals, async (ctx, _viewer, { days: wanted, host: named }) => {
  const days = Math.max(1, wanted)
  const host = named ? (readDomain(named) ?? named) : null
  const start = ctx.clock.now() - (days - 1) * DAY_MS
  const since = new Date(start)
  const [reasons, hosts, found] = await Promise.all([
    host === null ? refusalsSince(ctx.db, since) : refusalsOfHost(ctx.db, host, since),
    refusingHosts(ctx.db, since, host, MOST_HOSTS),
    refusalDays(ctx.db, since, host),
  ])
  return { refusals: reasons.map(counted), hosts: hosts.map(counted), days: everyDay(start, days, found) }
})
