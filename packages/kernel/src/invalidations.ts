/**
 * Cache invalidation messages between processes. Such a message may be lost. So a process clears its caches after a
 * lost connection to the bus.
 */
import { type NatsConnection, publishCoreMessage } from '@murmuration/bus'
import type { Invalidation } from '@murmuration/contracts/kit'
import { chunk } from '@murmuration/flow'

export interface Invalidations {
  /** Publishes a cache invalidation message for these ids. */
  send(invalidation: Invalidation, ids: readonly string[]): void
  /**
   * Calls `invalidate` with the ids of each message. With null, the whole cache must be cleared, because messages may
   * have been missed.
   */
  subscribe(invalidation: Invalidation, invalidate: (ids: string[] | null) => void): void
}

/** Creates the sender and receiver of cache invalidation messages. Errors of the bus are ignored. */
export const createInvalidations = (nc: NatsConnection): Invalidations => {
  const listeners: ((ids: string[] | null) => void)[] = []
  const watch = async () => {
    for await (const status of nc.status())
      if (status.type === 'reconnect') for (const invalidate of listeners) invalidate(null)
  }
  watch().catch(() => {})
  return {
    send(invalidation, ids) {
      for (const some of chunk(ids, 1_000)) publishCoreMessage(nc, invalidation.subject, some.join(','))
    },
    subscribe(invalidation, invalidate) {
      listeners.push(invalidate)
      nc.subscribe(invalidation.subject, {
        callback: (error, message) => {
          if (!error) invalidate(message.string().split(',').filter(Boolean))
        },
      })
    },
  }
}
