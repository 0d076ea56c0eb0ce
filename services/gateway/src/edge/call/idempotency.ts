/**
 * Carries out a request once. Requests with the same name get the outcome of the first one, also in another process and at the same
 * time. Outcomes are encrypted in Redis, because responses may contain secrets.
 *
 * | Case | A repeated request |
 * |---|---|
 * | the first one runs | waits for its outcome |
 * | it succeeded | gets its result, for `keepMs` |
 * | its result is too large for Redis | gets `conflict`, because it was carried out |
 * | it failed before a service received a write, so that nothing was done | runs |
 * | it failed afterwards with `timeout` or `unavailable`, so that its effect is unknown | gets the same failure for a minute, and then runs |
 * | it failed in another way | runs |
 * | the process of the first one was killed | runs after 30 s at most, even if the first one had its effect |
 * | the event loop of that process stalled for more than 30 s | runs |
 * | Redis does not respond, or lost its data | runs |
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { createSingleFlight, keyspace, MAX_SHARED, type Redis } from '@murmuration/cache'
import { asFailure, type ErrorCode, ErrorText, Failure, fail, isNoResponseCode } from '@murmuration/contracts/kit'
import { type CommonConfig, secretCipherFor, watchWrites } from '@murmuration/kernel'

export interface IdempotencyStore {
  /**
   * Runs `work`, or returns the outcome of the first request with the same name. A result is kept for `keepMs` milliseconds. With
   * 0, only requests that already wait get the result.
   */
  run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number): Promise<T>
}

/** Milliseconds that a repeated request waits at most for the first one. No request takes longer. */
const MAX_MS = 130_000
/**
 * Milliseconds after which the lock of a killed process expires. Event loops stall for a shorter time, so that a
 * running request keeps its lock.
 */
const LOCK_MS = 30_000
/** Milliseconds for which a failure with an unknown effect is stored for repeated requests. */
export const UNKNOWN_MS = 60_000

type Outcome<T> =
  | { readonly value: T }
  | { readonly failure: { code: ErrorCode; text: string; status: number; retryAfter?: number } }
  /**
   * Marks a result that cannot be returned again, also if its size is not the cause. The name stays, because processes of the
   * previous release read it.
   */
  | { readonly isTooLarge: true }

const keyOf = keyspace('gateway')

export const createIdempotencyStore = (redis: Redis, common: Pick<CommonConfig, 'secretKeyBase'>): IdempotencyStore => {
  const flight = createSingleFlight(redis, keyOf('once'), { longestMs: MAX_MS, lockMs: LOCK_MS })
  const secretCipher = secretCipherFor(common, 'gateway:once')
  const close = (outcome: unknown, name: string): string =>
    secretCipher.encrypt(gzipSync(JSON.stringify(outcome)).toString('base64'), name)
  const open = <T>(text: string, name: string): Outcome<T> => {
    const decrypted = secretCipher.decryptOrNull(text, name)
    // The first request ran before SECRET_KEY_BASE was changed.
    if (decrypted === null) return { isTooLarge: true }
    return JSON.parse(gunzipSync(Buffer.from(decrypted, 'base64')).toString('utf8')) as Outcome<T>
  }

  return {
    async run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number): Promise<T> {
      let own: { value: T } | { error: unknown } | null = null
      let isReceived = () => true
      const first = async (): Promise<string> => {
        try {
          const writes = watchWrites(work)
          isReceived = writes.isReceived
          const value = await writes.result
          own = { value }
          const text = close(own, name)
          const isKept = JSON.stringify(text).length <= MAX_SHARED || keepMs(value) === 0
          return isKept ? text : close({ isTooLarge: true }, name)
        } catch (error) {
          own = { error }
          const { code, message, status, extras } = asFailure(error)
          return close({ failure: { code, text: message, status, retryAfter: extras.retryAfter } }, name)
        }
      }
      const kept = (): number => {
        if (own === null) return 0
        if ('value' in own) return keepMs(own.value)
        return isReceived() && isNoResponseCode(asFailure(own.error).code) ? UNKNOWN_MS : 0
      }
      const text = await flight.run(name, first, kept)
      const result = own as { value: T } | { error: unknown } | null
      if (result !== null) {
        if ('error' in result) throw result.error
        return result.value
      }
      const outcome = open<T>(text, name)
      if ('value' in outcome) return outcome.value
      if (!('failure' in outcome)) throw fail('conflict', 'This request was carried out already')
      const { code, text: message, status, retryAfter } = outcome.failure
      throw new Failure(code, new ErrorText(message), { status, ...(retryAfter !== undefined && { retryAfter }) })
    },
  }
}
