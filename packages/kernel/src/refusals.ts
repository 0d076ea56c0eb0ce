/** Logs refusals, such as those of addresses that nobody may be sent to; a host that brings a great many does not fill the log. */
import type { Clock } from './clock.js'
import type { Log } from './log.js'

const WINDOW_MS = 60_000
/** Unknown clients can invent any number of names. */
const MOST_HOSTS = 20
const MOST_CHARACTERS = 100

/**
 * Returns a function that logs one line for a host and minute, of 20 hosts at most. `untold` of the next line says how many
 * refusals had none. By default it is for `onRefused` of the guarded client. Addresses behind the host are not written: they
 * may contain secrets.
 */
export const tellRefusals = <T extends { host: string; reason: string }>(
  ctx: { log: Log; clock: Pick<Clock, 'now'> },
  message = 'an address was refused',
): ((refusal: T) => void) => {
  const hosts = new Set<string>()
  let began = 0
  let untold = 0
  return (refusal) => {
    const now = ctx.clock.now()
    if (now - began >= WINDOW_MS) {
      hosts.clear()
      began = now
    }
    const host = refusal.host.slice(0, MOST_CHARACTERS)
    if (hosts.has(host) || hosts.size >= MOST_HOSTS) {
      untold++
      return
    }
    hosts.add(host)
    ctx.log.info({ ...refusal, host, untold } as Record<string, unknown>, message)
    untold = 0
  }
}
