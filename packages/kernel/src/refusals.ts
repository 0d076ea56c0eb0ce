/** Logs refused requests to other servers, such as those to forbidden addresses. The number of log lines per minute is limited. */
import type { Clock } from './clock.js'
import type { Log } from './log.js'

const WINDOW_MS = 60_000
/** Maximum number of hosts per minute with a log line, because a client can invent any number of host names. */
const MAX_HOSTS = 20
const MAX_CHARACTERS = 100

/**
 * Returns a function that logs a refusal, one line per host and minute, for at most 20 hosts a minute. `unlogged` of
 * the next line is the number of refusals without a line. It is the default `onRefused` of the outbound client. Paths
 * of requests are not logged, because they may contain secrets.
 */
export const logRefusals = <T extends { host: string; reason: string }>(
  ctx: { log: Log; clock: Pick<Clock, 'now'> },
  message = 'an address was refused',
): ((refusal: T) => void) => {
  const hosts = new Set<string>()
  let began = 0
  let unlogged = 0
  return (refusal) => {
    const now = ctx.clock.now()
    if (now - began >= WINDOW_MS) {
      hosts.clear()
      began = now
    }
    const host = refusal.host.slice(0, MAX_CHARACTERS)
    if (hosts.has(host) || hosts.size >= MAX_HOSTS) {
      unlogged++
      return
    }
    hosts.add(host)
    ctx.log.info({ ...refusal, host, unlogged } as Record<string, unknown>, message)
    unlogged = 0
  }
}
