/** Deadline of a whole request, shared by its queueing, redirects and body. */

import type { Limiter, Release } from '@murmuration/flow'
import { OutboundError } from './errors.js'

/** Ends the step in progress of a request (address look-up, connection, headers or body) when its time is over or its abort signal fires. */
export type Deadline = {
  /** Error of the deadline after it has passed; null before. */
  expired: OutboundError | null
  /** Cancels the operation in progress. `onExpire` is called at most once, because there is one operation at a time. */
  onExpire: ((error: OutboundError) => void) | null
  /** Ends the deadline of a request now, with this error. */
  expire(error: OutboundError): void
  /** Stops the timer and removes the abort listener; safe to call twice. */
  clear(): void
}

const timedOut = () => new OutboundError('timeout', 'the time for the whole request is over')

/**
 * Starts a deadline of `ms` milliseconds, which `signal` may end earlier. `failure` creates the error with which the
 * deadline ends the request.
 */
export function startDeadline(ms: number, signal?: AbortSignal, failure = timedOut): Deadline {
  const timer = setTimeout(() => deadline.expire(failure()), Math.max(0, ms))
  const onAbort = () => {
    deadline.expire(new OutboundError('timeout', 'the caller ended the request', { cause: signal?.reason }))
  }
  const deadline: Deadline = {
    expired: null,
    onExpire: null,
    expire(error) {
      deadline.clear()
      if (deadline.expired) return
      deadline.expired = error
      const end = deadline.onExpire
      deadline.onExpire = null
      end?.(error)
    },
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return deadline
}

/** Takes a slot of a limiter. Rejects with the error of the deadline if the deadline passes first. */
export async function enterBy(enter: Limiter['enter'], deadline: Deadline): Promise<Release> {
  if (deadline.expired) throw deadline.expired
  const over = new AbortController()
  deadline.onExpire = (error) => over.abort(error)
  try {
    return await enter(over.signal)
  } finally {
    deadline.onExpire = null
  }
}
