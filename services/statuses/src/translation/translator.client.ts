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

export const quotaExceeded = (cause?: unknown): Failure =>
  fail('unavailable', 'The server-wide usage quota for the translation service has been exceeded.', { cause })
export const tooManyRequests = (cause?: unknown): Failure =>
  fail('unavailable', 'There have been too many requests to the translation service recently.', { cause })
export const badResponse = (cause?: unknown): Failure => fail('unavailable', 'Service Unavailable', { cause })

/** Errors for HTTP statuses of a translation API, and the names of its settings for the log. */
export interface TranslationApi {
  readonly refusals: Readonly<Record<number, (cause: Error) => Failure>>
  /** HTTP statuses with which the API refuses a key. */
  readonly keyRefused: readonly number[]
  readonly settings: { readonly key: string; readonly address: string }
}

/**
 * Sends one request and parses the JSON response. Throws 503 for any failure, or the error in `refusals` for the HTTP
 * status. The cause, which is logged, names the settings.
 */
export const requestJson = async (
  web: Web,
  of: Parameters<Web['request']>[0],
  { refusals, keyRefused, settings }: TranslationApi,
): Promise<unknown> => {
  const { status, text } = await web.request(of).catch((cause) => {
    throw badResponse(new Error(`the translator cannot be reached: see ${settings.address}`, { cause }))
  })
  const answered = new Error(
    `the translator responds with HTTP status ${status}${keyRefused.includes(status) ? `: see ${settings.key}` : ''}`,
  )
  const refusal = refusals[status]
  if (refusal) throw refusal(answered)
  if (status !== 200) throw badResponse(answered)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badResponse(new Error(`the translator responds with no JSON: see ${settings.address}`, { cause }))
  }
}
