/** Weekly activity of the server, read from the services at most every five minutes. */
import { usersByWeek } from '@murmuration/contracts/accounts'
import type { InstanceActivity } from '@murmuration/contracts/entities'
import { statusesByWeek } from '@murmuration/contracts/statuses'
import type { BaseContext } from '@murmuration/kernel'
import { cached } from '../core/cached.js'

const WEEK_MS = 7 * 86_400_000
const WEEKS = 12
const MAX_AGE_MS = 300_000
/** The first Monday after the epoch, 5 January 1970, in milliseconds since 1970. */
const FIRST_MONDAY_MS = 4 * 86_400_000

/** Starts of the last twelve weeks in milliseconds since 1970, current week first. */
const mondaysUntil = (now: number): number[] => {
  const monday = now - ((((now - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS)
  return Array.from({ length: WEEKS }, (_, n) => monday - n * WEEK_MS)
}

export const createWeeks = (
  base: Pick<BaseContext<typeof usersByWeek | typeof statusesByWeek>, 'call' | 'clock'>,
): (() => Promise<InstanceActivity[]>) =>
  cached(base.clock, MAX_AGE_MS, async () => {
    const mondays = mondaysUntil(base.clock.now())
    const [accountStats, written] = await Promise.all([
      base.call(usersByWeek, { mondays }),
      base.call(statusesByWeek, { mondays }),
    ])
    return mondays.map((monday, n) => ({
      week: String(monday / 1_000),
      statuses: String(written.counts[n] ?? 0),
      logins: String(accountStats.weeks[n]?.logins ?? 0),
      registrations: String(accountStats.weeks[n]?.registrations ?? 0),
    }))
  })
