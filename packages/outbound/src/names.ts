/** Resolves all addresses of a name like the system. Unresponsive name servers block no other work. */

import { lookup } from 'node:dns/promises'
import { createLimiter, createMemoryCache } from '@murmuration/flow'
import { type Deadline, enterBy, startDeadline } from './deadline.js'
import { OutboundError } from './errors.js'
import { tooManyWaiting } from './host-slots.js'
import { createHostsFile } from './hosts-file.js'
import { createNameServers, type Found } from './name-servers.js'

/** Sources of names. By default, the name servers and the hosts file of the system are used. */
export type NameOptions = {
  /** Name servers as `address` or `address:port`. */
  servers?: readonly string[]
  hostsFile?: string
}

/** All addresses of a DNS name, in any order. Rejects with `OutboundError` (`dns`). */
export type Names = (name: string) => Promise<readonly string[]>

const deadlineMs = 5_000
const longestKnownMs = 60_000
const shortestKnownMs = 1_000
const unknownMs = 30_000
const maxKnown = 10_000
const maxInFlight = 1_024

/** Addresses of a name, or the error of its resolution. */
type Known = { addresses: readonly string[]; keptMs: number; error?: OutboundError }

/**
 * Resolves names: from the hosts file first, then by the system's name servers over sockets of this process, then
 * `getaddrinfo` for names that only other system sources know. `getaddrinfo` occupies one of libuv's four threads until
 * the name server responds. Therefore `getaddrinfo` is the last attempt, and only one call runs at a time. So names
 * whose server does not respond cannot block file, crypto or other look-ups.
 *
 * Addresses are cached for their time to live, at most 60 s, and failures for 30 s. Concurrent calls for one name share
 * a lookup. A lookup takes at most 5 s. `now` returns milliseconds.
 */
export function createNames(now: () => number, options: NameOptions = {}): Names {
  const hosts = createHostsFile(now, options.hostsFile)
  const nameServers = createNameServers(now, options.servers)
  const systemCalls = createLimiter({ concurrency: 1, queue: 16, refuse: tooManyWaiting })
  const known = createMemoryCache<Known>({ max: maxKnown, now })

  const lookupBySystem = async (name: string, deadline: Deadline): Promise<Found> => {
    const release = await enterBy(systemCalls.enter, deadline)
    const lookedUp = lookup(name, { all: true }).finally(release)
    const found = await orExpire(lookedUp, deadline)
    return { addresses: found.map((entry) => entry.address), ttlMs: longestKnownMs }
  }

  const lookUp = async (name: string, deadline: Deadline): Promise<Found> => {
    const written = await hosts(name)
    // Addresses of the hosts file are not cached here, so that an edit of the file takes effect within a second.
    if (written) return { addresses: written, ttlMs: 0 }
    try {
      return await orExpire(nameServers(name), deadline)
    } catch (error) {
      if (deadline.expired || options.servers || !mayOthersKnow(error)) throw error
      return lookupBySystem(name, deadline)
    }
  }

  const read = async (name: string): Promise<Known> => {
    const deadline = startDeadline(deadlineMs, undefined, () => new OutboundError('dns', 'no name server responded'))
    try {
      const { addresses, ttlMs } = await lookUp(name, deadline)
      if (addresses.length === 0) throw new OutboundError('dns', 'the name has no address')
      return { addresses, keptMs: clamp(ttlMs) }
    } catch (cause) {
      const ours = cause instanceof OutboundError && cause.code === 'dns'
      const error = ours ? cause : new OutboundError('dns', 'the name could not be looked up', { cause })
      return { addresses: [], keptMs: unknownMs, error }
    } finally {
      deadline.clear()
    }
  }

  const readLimited = async (name: string): Promise<Known> => {
    if (known.loading >= maxInFlight)
      throw new OutboundError('dns', 'too many names are being looked up', { ours: true })
    return read(name)
  }

  return async (name) => {
    const { addresses, error } = await known.load(
      name,
      () => readLimited(name),
      ({ keptMs }) => keptMs,
    )
    if (error) throw error
    return addresses
  }
}

/** True if the name servers do not know the name or refused the connection, so that `getaddrinfo` is tried as well. */
function mayOthersKnow(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'ECONNREFUSED'
}

function orExpire<T>(work: Promise<T>, deadline: Deadline): Promise<T> {
  if (deadline.expired) return Promise.reject(deadline.expired)
  return new Promise((resolve, reject) => {
    deadline.onExpire = reject
    work.then(resolve, reject)
  })
}

const clamp = (ttlMs: number) => (ttlMs === 0 ? 0 : Math.min(longestKnownMs, Math.max(shortestKnownMs, ttlMs)))
