/** Circuit breaker per host: stops requests to hosts that do not respond, unless the host responds to a probe at an address of our choice. */

import { createMemory } from '@murmuration/cache'
import { type Outbound, OutboundError } from '@murmuration/outbound'

export interface CircuitBreaker {
  /** True while requests to the host are refused. */
  isOpen(host: string): boolean
  /** Records a response of the host. */
  succeeded(host: string): void
  /** Records a request to this origin that was sent and got no response. */
  failed(origin: string): void
}

/** Consecutive requests without a response that open the breaker. */
const MOST_FAILURES = 3
const OPEN_MS = 60_000
const PROBE_MS = 5_000
export const PROBES_AT_ONCE = 256
/** Larger than any NodeInfo index. A longer response also counts as a response. */
const PROBE_BYTES = 16_384

/**
 * Returns a probe: it requests the NodeInfo index, which every server of the fediverse has.
 *
 * | Result | Meaning |
 * |---|---|
 * | true | the server responded |
 * | false | the request was sent and got no response, or the connection was refused |
 * | null | the request could not be sent |
 */
export const probeBy = (outbound: Pick<Outbound, 'request'>) => {
  let probing = 0
  return async (origin: string): Promise<boolean | null> => {
    // A probe is never queued, so its time-out starts when it is sent.
    if (probing >= PROBES_AT_ONCE) return null
    probing += 1
    try {
      await outbound.request({
        method: 'GET',
        url: `${origin}/.well-known/nodeinfo`,
        maxBytes: PROBE_BYTES,
        timeoutMs: PROBE_MS,
      })
      return true
    } catch (error) {
      if (!(error instanceof OutboundError)) return null
      const unsent = error.code === 'timeout' && error.stage === 'unsent'
      return error.ours || unsent ? null : error.stage === 'answered'
    } finally {
      probing -= 1
    }
  }
}

/**
 * Creates the breaker. Other servers choose most addresses that are fetched, and may name one that never responds. A probe that
 * gets a response therefore closes the breaker at once. A probe that could not be sent also closes it.
 */
export const createCircuitBreaker = (it: {
  probe: (origin: string) => Promise<boolean | null>
  now: () => number
}): CircuitBreaker => {
  const failures = createMemory<number>({ most: 10_000, ttlMs: OPEN_MS, now: it.now })
  return {
    isOpen: (host) => (failures.get(host) ?? 0) >= MOST_FAILURES,
    succeeded: (host) => failures.delete(host),
    failed(origin) {
      const { host } = new URL(origin)
      const count = (failures.get(host) ?? 0) + 1
      failures.set(host, count)
      if (count !== MOST_FAILURES) return
      void it.probe(origin).then((answered) => {
        if (answered !== false) failures.delete(host)
      })
    },
  }
}
