/** Circuit breaker per host: stops requests to a host that does not respond, unless the host responds to a probe. */

import { createCircuitBreaker, createLimiter } from '@murmuration/flow'
import { type Outbound, OutboundError } from '@murmuration/outbound'

export interface HostBreaker {
  /** True while the breaker of the host is open, so that no requests are sent to it. */
  isOpen(host: string): boolean
  /** Records that the host responded, which closes its breaker. */
  succeeded(host: string): void
  /** Records a request to this origin that was sent and got no response. */
  failed(origin: string): void
}

/** Consecutive requests without a response that open the breaker. */
const MAX_FAILURES = 3
const OPEN_MS = 60_000
const MAX_HOSTS = 10_000
const PROBE_MS = 5_000
export const PROBES_AT_ONCE = 256
/**
 * Maximum number of bytes of a probe's response, more than any NodeInfo index has. A longer response also counts as a
 * response.
 */
const PROBE_BYTES = 16_384

/**
 * Creates a probe, which requests the NodeInfo index of an origin. Every server of the fediverse has a NodeInfo index.
 *
 * | Result | Meaning |
 * |---|---|
 * | true | the server responded |
 * | false | the request was sent and got no response, or the connection was refused |
 * | null | the request could not be sent |
 */
export const probeBy = (outbound: Pick<Outbound, 'request'>) => {
  const probes = createLimiter({ concurrency: PROBES_AT_ONCE })
  return async (origin: string): Promise<boolean | null> => {
    // A probe is never queued, so its time-out starts when it is sent.
    const release = probes.tryEnter()
    if (release === null) return null
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
      return error.ours || unsent ? null : error.stage === 'responded'
    } finally {
      release()
    }
  }
}

/**
 * Creates the breaker.
 *
 * Because other servers choose most fetched addresses, they could name one that never responds. A probe of a host that
 * gets a response therefore closes the breaker at once. A probe that could not be sent also closes it.
 */
export const createHostBreaker = (it: {
  probe: (origin: string) => Promise<boolean | null>
  now: () => number
}): HostBreaker => {
  const hosts = createCircuitBreaker({ failures: MAX_FAILURES, openMs: OPEN_MS, max: MAX_HOSTS, now: it.now })
  return {
    isOpen: hosts.isOpen,
    succeeded: hosts.succeeded,
    failed(origin) {
      const { host } = new URL(origin)
      if (!hosts.failed(host)) return
      void it.probe(origin).then((responded) => {
        if (responded !== false) hosts.succeeded(host)
      })
    },
  }
}
