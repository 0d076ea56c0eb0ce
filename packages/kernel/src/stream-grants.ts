/**
 * Grants of streams: proof that an account has an open streaming connection. The accounts service issues grants.
 * Services that render events for the connection check them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.js'
import { type CommonConfig, derive } from './config.js'

const MINUTE_MS = 60_000
/** Minimum validity of a grant in minutes; up to one minute is added. The streaming service renews each grant within 45 seconds. */
const MINUTES = 3
/** Maximum number of checked grants that are cached, one per account. */
const MAX_KNOWN = 100_000

export interface StreamGrants {
  /** Grant for an account, valid for three to four minutes: `<minute, base 36>.<128 bits of HMAC-SHA256, base64url>`. */
  issue(account: string): string
  /**
   * True if the grant belongs to the account and has not expired. The check needs no I/O. The HMAC of a grant is
   * computed only once.
   */
  allows(account: string, grant: string): boolean
}

/**
 * Creates the grants. Their key is derived from SECRET_KEY_BASE, so a process with only the bus login of streaming
 * cannot forge grants. Grants of one account and minute are equal, so all streaming processes have the same one.
 * @example const grants = createStreamGrants(base); grants.allows('1', grants.issue('1')) // true
 */
export const createStreamGrants = ({
  common,
  clock,
}: {
  common: Pick<CommonConfig, 'secretKeyBase'>
  clock: Pick<Clock, 'now'>
}): StreamGrants => {
  const key = derive(common, 'stream grants')
  const known = new Map<string, { grant: string; until: number }>()

  const sign = (account: string, minute: string): string =>
    createHmac('sha256', key).update(`${account} ${minute}`).digest().subarray(0, 16).toString('base64url')

  const check = (account: string, grant: string): number | null => {
    const [minute = '', mac = ''] = grant.split('.')
    if (!/^[0-9a-z]{1,9}$/.test(minute)) return null
    const given = Buffer.from(mac)
    const right = Buffer.from(sign(account, minute))
    return given.length === right.length && timingSafeEqual(given, right)
      ? Number.parseInt(minute, 36) * MINUTE_MS
      : null
  }

  return {
    issue(account) {
      const minute = (Math.ceil(clock.now() / MINUTE_MS) + MINUTES).toString(36)
      return `${minute}.${sign(account, minute)}`
    },
    allows(account, grant) {
      const seen = known.get(account)
      if (seen?.grant === grant) return seen.until > clock.now()
      const until = check(account, grant)
      if (until === null || until <= clock.now()) return false
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(account, { grant, until })
      return true
    },
  }
}
