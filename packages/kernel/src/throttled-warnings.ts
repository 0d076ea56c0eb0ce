/** Logs warnings for the operator about what does not work, such as a wrong setting. The number of log lines per minute is limited. */
import type { Clock } from './clock.js'
import type { Log } from './log.js'

const WINDOW_MS = 60_000
/** Maximum number of reasons per minute, because the text of a reason may depend on a request. */
const MAX_REASONS = 20

/** `fields`: log fields, which do not distinguish reasons. Because users can choose host names, those belong here. */
export type LogReason = (reason: string, fields?: Readonly<Record<string, string>>) => void

/** Returns a function that logs a reason as a warning, each at most once a minute, and at most 20 reasons a minute. */
export const logReasons = (ctx: { log: Pick<Log, 'warn'>; clock: Pick<Clock, 'now'> }): LogReason => {
  /** Time of each reason that was logged in the last minute, oldest first. */
  const logged = new Map<string, number>()
  return (reason, fields) => {
    const now = ctx.clock.now()
    for (const [old, at] of logged) {
      if (now - at < WINDOW_MS) break
      logged.delete(old)
    }
    if (logged.has(reason) || logged.size >= MAX_REASONS) return
    logged.set(reason, now)
    if (fields) ctx.log.warn(fields, reason)
    else ctx.log.warn(reason)
  }
}
