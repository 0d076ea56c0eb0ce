/** Meaning of the response to a delivery: delivered, refused permanently, or retried later. */
import { retryAfterOf } from './retry.rules.js'

/** The response to a delivery, or the reason why there was none. */
export type PostResponse =
  | { status: number; headers: Readonly<Record<string, string>> }
  | { failure: string; retryable: boolean }

export type DeliveryResult =
  | { kind: 'delivered'; status: number }
  /** `gone`: the inbox responded 410 (`for-good`) or 404 (`missing`). */
  | { kind: 'refused'; status: number | null; why: string; gone: 'for-good' | 'missing' | null }
  | {
      kind: 'later'
      status: number | null
      why: string
      /** True if the host itself gave no response, so that other deliveries would fail too. */
      silent: boolean
      /** True without a response within the time-out: the host may be down, or unable to process this one activity. */
      timedOut: boolean
      retryAfterMs: number | null
      /**
       * Number of attempts after which the delivery counts as refused; null: it is retried until the activity is
       * `HELD_MS` old (`retry.rules.ts`).
       */
      max: number | null
    }

/** HTTP statuses below 500 after which a delivery is retried. */
const again: ReadonlySet<number> = new Set([401, 408, 425, 429])
/** Statuses of a proxy before the server, or of an overloaded server. */
const silent: ReadonlySet<number> = new Set([429, 502, 503, 504])
const unwilling: ReadonlySet<number> = new Set([501, 505])

/**
 * Maximum number of attempts for a status; null: no limit. 401 may end when the server fetches the key again; redirects
 * rarely end.
 */
const maxAttempts = (status: number): number | null => {
  if (status === 401) return 4
  return status < 400 ? 3 : null
}

/** Classifies the response to a delivery: delivered, refused, or retried later. `now` in ms since the epoch. */
export const classifyResponse = (response: PostResponse, now: number): DeliveryResult => {
  if ('failure' in response) {
    const { failure: why, retryable } = response
    return retryable
      ? { kind: 'later', status: null, why, silent: true, timedOut: why === 'timeout', retryAfterMs: null, max: null }
      : { kind: 'refused', status: null, why, gone: null }
  }
  const { status, headers } = response
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  const why = `status ${status}`
  if (status < 400 || again.has(status) || (status >= 500 && !unwilling.has(status)))
    return {
      kind: 'later',
      status,
      why,
      silent: silent.has(status),
      timedOut: false,
      retryAfterMs: retryAfterOf(headers, now),
      max: maxAttempts(status),
    }
  return { kind: 'refused', status, why, gone: status === 410 ? 'for-good' : status === 404 ? 'missing' : null }
}
