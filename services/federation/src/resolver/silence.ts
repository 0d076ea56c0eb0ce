/** Hosts that let requests pass without an answer are left alone for a while, unless they answer where only we chose the address. */

import { createMemory } from '@murmuration/cache'
import { type Outbound, OutboundError } from '@murmuration/outbound'

export interface Silences {
  /** True while a host is left alone. */
  rests(host: string): boolean
  /** A host answered something. */
  heard(host: string): void
  /** A request to this origin was sent and got no answer. */
  missed(origin: string): void
}

/** After so many requests in a row without any answer a host is left alone for a while. */
const MOST_MISSED = 3
const REST_MS = 60_000
const KNOCK_MS = 5_000
export const KNOCKS_AT_ONCE = 256
/** More than the list of NodeInfo documents has anywhere; whatever is longer is an answer as well. */
const KNOCK_BYTES = 16_384

/** Whether a server answers anything at all where every server of this network has something; null when it could not be asked. */
export const knockBy = (outbound: Pick<Outbound, 'request'>) => {
  let knocking = 0
  return async (origin: string): Promise<boolean | null> => {
    // None waits for its turn, so that its time begins when it leaves.
    if (knocking >= KNOCKS_AT_ONCE) return null
    knocking += 1
    try {
      await outbound.request({
        method: 'GET',
        url: `${origin}/.well-known/nodeinfo`,
        maxBytes: KNOCK_BYTES,
        timeoutMs: KNOCK_MS,
      })
      return true
    } catch (error) {
      if (!(error instanceof OutboundError)) return null
      const unsent = error.code === 'timeout' && error.stage === 'unsent'
      return error.ours || unsent ? null : error.stage === 'answered'
    } finally {
      knocking -= 1
    }
  }
}

/**
 * What is asked for is mostly chosen by strangers, who may know an address on any server that never answers. So silence counts
 * against a host only until it was knocked at, which takes one that is well no longer than an answer. A knock that failed here
 * says nothing of it.
 */
export const createSilences = (it: {
  knock: (origin: string) => Promise<boolean | null>
  now: () => number
}): Silences => {
  const missed = createMemory<number>({ most: 10_000, ttlMs: REST_MS, now: it.now })
  return {
    rests: (host) => (missed.get(host) ?? 0) >= MOST_MISSED,
    heard: (host) => missed.delete(host),
    missed(origin) {
      const { host } = new URL(origin)
      const count = (missed.get(host) ?? 0) + 1
      missed.set(host, count)
      if (count !== MOST_MISSED) return
      void it.knock(origin).then((answered) => {
        if (answered !== false) missed.delete(host)
      })
    },
  }
}
