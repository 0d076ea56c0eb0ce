/** Tells the log of addresses that nobody may be sent to; whoever brings a great many of them does not fill it. */
import type { Clock } from './clock.js'
import type { Log } from './log.js'

const WINDOW_MS = 60_000
/** Strangers can make up names without end. */
const MOST_HOSTS = 20
const MOST_CHARACTERS = 100

/**
 * For `onRefused` of the guarded client: one line for a host and minute, of 20 hosts at most. `untold` of the next line says
 * how many refusals had none. Addresses behind the host are not written: they may hold what is secret.
 */
export const tellRefusals = (ctx: {
  log: Log
  clock: Pick<Clock, 'now'>
}): ((refusal: { host: string; reason: string }) => void) => {
  const hosts = new Set<string>()
  let began = 0
  let untold = 0
  return ({ host: whole, reason }) => {
    const now = ctx.clock.now()
    if (now - began >= WINDOW_MS) {
      hosts.clear()
      began = now
    }
    const host = whole.slice(0, MOST_CHARACTERS)
    if (hosts.has(host) || hosts.size >= MOST_HOSTS) {
      untold++
      return
    }
    hosts.add(host)
    ctx.log.info({ host, reason, untold }, 'an address was refused')
    untold = 0
  }
}
