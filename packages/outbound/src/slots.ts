/** A bounded number of places with a queue in order of arrival; who waits too long leaves by its deadline. */

import type { Deadline } from './deadline.js'
import { OutboundError } from './errors.js'

/** Take a place, give it back exactly once. */
export type Slots = {
  /** Undefined when a place was free, else a promise of one. Rejects when the deadline passes or the queue is full. */
  take(deadline: Deadline): Promise<void> | undefined
  give(): void
}

/** `size` places and at most `queue` waiting. */
export function createSlots(size: number, queue: number): Slots {
  let free = size
  const waiting = new Set<() => void>()
  return {
    take(deadline) {
      if (deadline.expired) return Promise.reject(deadline.expired)
      if (free > 0) {
        free -= 1
        return undefined
      }
      if (waiting.size >= queue) {
        return Promise.reject(new OutboundError('timeout', 'too many requests are waiting to leave', { ours: true }))
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          deadline.onExpire = null
          resolve()
        }
        waiting.add(enter)
        deadline.onExpire = (error) => {
          waiting.delete(enter)
          reject(error)
        }
      })
    },
    give() {
      const [next] = waiting
      if (!next) free += 1
      else {
        waiting.delete(next)
        next()
      }
    },
  }
}
