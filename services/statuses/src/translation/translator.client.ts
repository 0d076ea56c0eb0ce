/** Interface of translators, their requests, and their errors in the words that clients know. */
import { type Failure, fail } from '@murmuration/contracts/kit'
import type { Web } from '../core/web.client.js'
import type { LanguagePairs } from './rules.js'

export interface Translated {
  texts: string[]
  /** Code of the detected language; null if the translator does not return it. */
  detected: string | null
}

export interface Translator {
  /** Name of the provider, shown to readers. */
  readonly name: string
  languages(): Promise<LanguagePairs>
  /** Translates HTML texts. `source` is `und` if the language is unknown. */
  translate(texts: readonly string[], source: string, target: string): Promise<Translated>
}

export const quotaExceeded = (): Failure =>
  fail('unavailable', 'The server-wide usage quota for the translation service has been exceeded.')
export const tooManyRequests = (): Failure =>
  fail('unavailable', 'There have been too many requests to the translation service recently.')
export const badResponse = (cause?: unknown): Failure => fail('unavailable', 'Service Unavailable', { cause })

/**
 * Sends one request and parses the JSON response. Throws 503 for any failure, or the error in `refusals` for the HTTP
 * status.
 */
export const requestJson = async (
  web: Web,
  of: Parameters<Web['request']>[0],
  refusals: Readonly<Record<number, () => Failure>>,
): Promise<unknown> => {
  const response = await web.request(of).catch((cause) => {
    throw badResponse(cause)
  })
  const refusal = refusals[response.status]
  if (refusal) throw refusal()
  if (response.status !== 200) throw badResponse(new Error(`answered ${response.status}`))
  try {
    return JSON.parse(response.text)
  } catch (cause) {
    throw badResponse(cause)
  }
}
