/** One clock for a whole piece of work, shared by its queueing, its redirects and its body. */

import type { Limiter, Release } from '@murmuration/flow'
import { OutboundError } from './errors.js'

/** Ends whatever is being waited for when time is up or the caller lost interest. */
export type Deadline = {
  /** Set once time is up. */
  expired: OutboundError | null
  /** Cancels the operation in progress. Called at most once; there is one operation at a time. */
  onExpire: ((error: OutboundError) => void) | null
  /** Ends it now, for this reason. */
  expire(error: OutboundError): void
  /** Stops the clock and lets go of the signal; safe to call twice. */
  clear(): void
}

const timedOut = () => new OutboundError('timeout', 'the time for the whole request is over')

/** Starts a clock of `ms` milliseconds that `signal` may cut short; `failure` makes the error of the end. */
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

/** Takes a slot. Rejects with the error of the deadline when that passes first. */
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
