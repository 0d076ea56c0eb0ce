/** Translates the texts of an error response to the language of the caller. */
import type { IncomingMessage } from 'node:http'
import type { ErrorPhrases } from '@murmuration/contracts/kit'
import { preferredLanguage, translateErrorBody } from '@murmuration/messages'
import type { Exchange } from '../exchange.js'

const ENGLISH = 'en'
const BRACE = '{'.charCodeAt(0)
const decoder = new TextDecoder()

const langIn = (query: string): string | null =>
  query.includes('lang=') ? new URLSearchParams(query).get('lang') : null

/** Language for error texts: of the query parameter `lang`, else of the account, else of `Accept-Language`. */
export const languageOfCaller = (
  { headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
  caller: Pick<Exchange['caller'], 'viewer'> | null,
): string =>
  preferredLanguage({
    lang: langIn(url.slice(url.indexOf('?') + 1)),
    locale: caller?.viewer?.locale,
    accepted: headers['accept-language'],
  })

/** Whether shared caches may store an error response. Such a response is in English, so that it needs no `Vary`. */
const isShared = (headers: Readonly<Record<string, string>>): boolean =>
  /public|max-age/.test(headers['Cache-Control'] ?? 'no-store')

export interface LocalError {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Translates an error response to the language, and adds `Content-Language`. A body that is not a JSON object is returned as it is.
 * @param own headers of the error response itself
 */
export const inLanguage = (
  language: string,
  bytes: Uint8Array,
  { phrases, own }: { phrases: ErrorPhrases | undefined; own: Readonly<Record<string, string>> },
): LocalError => {
  if (bytes[0] !== BRACE) return { bytes, headers: {} }
  if (language === ENGLISH || isShared(own)) return { bytes, headers: { 'Content-Language': ENGLISH } }
  const body = translateErrorBody(language, JSON.parse(decoder.decode(bytes)), phrases)
  return { bytes: Buffer.from(JSON.stringify(body)), headers: { 'Content-Language': language } }
}
