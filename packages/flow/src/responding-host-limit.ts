/**
 * Limits simultaneous requests to one host while it does not respond, so that it cannot use all slots of its callers.
 *
 * | Host | Simultaneous requests |
 * |---|---|
 * | responds within `silenceMs`, apart from single late responses | `max` |
 * | is new, did not respond, or responded late several times in succession | `unproven` |
 * | did not respond to `failures` requests in succession | none for `pauseMs` |
 */
import { createCircuitBreaker } from './circuit-breaker.js'
import { createMemoryCache } from './memory-cache.js'

export interface RespondingHostLimitOptions {
  max: number
  unproven: number
  /** Milliseconds without any response after which a host with open requests does not respond. Also the longest wait for a slot. */
  silenceMs: number
  failures: number
  pauseMs: number
  /** Returns the time of the process in milliseconds. */
  now(): number
}

/** Ends the use of a slot. `responded`: true for a response with any status. */
export type Leave = (responded: boolean) => void

export interface RespondingHostLimit {
  /** Resolves with null if the host has no free slot and does not respond. */
  enter(host: string): Promise<Leave | null>
}

interface Host {
  running: number
  /** Time of the last response, or of the first request that runs since there was no other. */
  since: number
  /** Number of late responses since the last one in time. */
  late: number
  readonly waiting: Set<(admitted: boolean) => void>
}

const MAX_HOSTS = 10_000
const PROVEN_MS = 600_000
/** Number of late responses in succession after which a host counts as a new one. One may have other causes. */
const MAX_LATE = 3

/** Creates a limit in the memory of this process, for any number of hosts. All hosts are new at first. */
export const createRespondingHostLimit = (options: RespondingHostLimitOptions): RespondingHostLimit => {
  const { max, unproven, silenceMs, failures, pauseMs, now } = options
  const hosts = new Map<string, Host>()
  /** Whether a host responded to its last request in time. */
  const proven = createMemoryCache<boolean>({ max: MAX_HOSTS, ttlMs: PROVEN_MS, now })
  const pauses = createCircuitBreaker({ failures, openMs: pauseMs, resetMs: PROVEN_MS, max: MAX_HOSTS, now })

  const isSilent = (host: Host): boolean => host.running > 0 && now() - host.since >= silenceMs
  const limitOf = (name: string, host: Host): number => (proven.get(name) && !isSilent(host) ? max : unproven)
  const begin = (host: Host): void => {
    if (host.running === 0) host.since = now()
    host.running++
  }
  const admit = (name: string, host: Host): void => {
    for (const resolve of host.waiting) {
      if (host.running >= limitOf(name, host)) return
      begin(host)
      resolve(true)
    }
  }
  const leaveOf = (name: string, host: Host): Leave => {
    const startedAt = now()
    return (responded) => {
      host.running--
      const isLate = now() - startedAt >= silenceMs
      if (responded) {
        host.since = now()
        host.late = isLate ? host.late + 1 : 0
        if (host.late === 0 || host.late >= MAX_LATE || !proven.get(name)) proven.set(name, host.late === 0)
        pauses.succeeded(name)
      } else if (isLate) {
        proven.set(name, false)
        pauses.failed(name)
        for (const resolve of host.waiting) resolve(false)
      }
      admit(name, host)
      if (host.running === 0 && host.waiting.size === 0) hosts.delete(name)
    }
  }
  const wait = (host: Host): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (admitted: boolean): void => {
        clearTimeout(timer)
        host.waiting.delete(end)
        resolve(admitted)
      }
      const timer = setTimeout(() => end(false), silenceMs)
      host.waiting.add(end)
    })

  return {
    async enter(name) {
      if (pauses.isOpen(name)) return null
      const host = hosts.get(name) ?? { running: 0, late: 0, since: now(), waiting: new Set() }
      hosts.set(name, host)
      if (host.running < limitOf(name, host)) begin(host)
      else if (isSilent(host) || proven.get(name) === false || !(await wait(host))) return null
      return leaveOf(name, host)
    },
  }
}
