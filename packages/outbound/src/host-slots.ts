/** Limits requests in flight: in total, and per host, so that an unresponsive host does not delay requests to other hosts. */

import { createKeyedLimiter, createLimiter, type Release } from '@murmuration/flow'
import { type Deadline, enterBy } from './deadline.js'
import { OutboundError } from './errors.js'

/** Takes a slot for a request to this host. Rejects when the deadline passes or the queue is full. */
export type HostSlots = { take(host: string, deadline: Deadline): Promise<Release> }

/** Creates the error for a request that found no slot, because too many requests wait for one. */
export const tooManyWaiting = () =>
  new OutboundError('timeout', 'too many requests are waiting to leave', { ours: true })

/**
 * Creates `size` slots for requests, of which one host uses at most `share`. At most `queue` callers wait for a slot;
 * further callers are rejected.
 */
export function createHostSlots(size: number, share: number, queue: number): HostSlots {
  const all = createLimiter({ concurrency: size, queue, refuse: tooManyWaiting })
  const hosts = createKeyedLimiter({ concurrency: share, queue, refuse: tooManyWaiting })
  return {
    async take(host, deadline) {
      const releaseHost = await enterBy((signal) => hosts.enter(host, signal), deadline)
      try {
        const release = await enterBy(all.enter, deadline)
        return () => {
          release()
          releaseHost()
        }
      } catch (error) {
        releaseHost()
        throw error
      }
    },
  }
}
