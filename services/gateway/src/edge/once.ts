/**
 * Carries out a request once. Requests with the same name get the outcome of the first one, also in another process and at the same
 * time. Outcomes are encrypted in Redis, because responses may contain secrets.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { createSingleFlight, keyspace, type Redis } from '@murmuration/cache'
import { asFailure, type ErrorCode, ErrorText, Failure } from '@murmuration/contracts/kit'
import { type CommonConfig, createSeal, derive } from '@murmuration/kernel'

export interface Once {
  /**
   * Runs `work`, or returns the outcome of the request that did. A result is kept for `keepMs`; 0 keeps it only for requests that
   * already wait. A failure is not kept either. Without Redis, each process runs the work itself.
   */
  run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number): Promise<T>
}

/** Longer than any request takes. */
const LONGEST_MS = 130_000

type Outcome<T> = { readonly value: T } | { readonly failure: { code: ErrorCode; text: string; status: number } }

const keyOf = keyspace('gateway')

export const createOnce = (redis: Redis, common: Pick<CommonConfig, 'secretKeyBase'>): Once => {
  const flight = createSingleFlight(redis, keyOf('once'), LONGEST_MS)
  const seal = createSeal(derive(common, 'gateway:once'))
  const close = (outcome: unknown, name: string): string =>
    seal.close(gzipSync(JSON.stringify(outcome)).toString('base64'), name)
  const open = <T>(text: string, name: string): Outcome<T> =>
    JSON.parse(gunzipSync(Buffer.from(seal.open(text, name), 'base64')).toString('utf8')) as Outcome<T>

  return {
    async run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number): Promise<T> {
      let own: { value: T } | { error: unknown } | null = null
      const first = async (): Promise<string> => {
        try {
          const value = await work()
          own = { value }
          return close(own, name)
        } catch (error) {
          own = { error }
          const { code, message, status } = asFailure(error)
          return close({ failure: { code, text: message, status } }, name)
        }
      }
      const kept = () => (own !== null && 'value' in own ? keepMs(own.value) : 0)
      const text = await flight.run(name, first, kept)
      const mine = own as { value: T } | { error: unknown } | null
      if (mine !== null) {
        if ('error' in mine) throw mine.error
        return mine.value
      }
      const outcome = open<T>(text, name)
      if ('value' in outcome) return outcome.value
      const { code, text: message, status } = outcome.failure
      throw new Failure(code, new ErrorText(message), { status })
    },
  }
}
