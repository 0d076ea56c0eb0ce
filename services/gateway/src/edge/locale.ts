/** Finds the language that a client requests for the response. */
import type { IncomingMessage } from 'node:http'
import { acceptedLanguage, knownLanguage } from '@murmuration/messages'

const TAG = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i

const tagOf = (text: string): string | null => (TAG.test(text) && text.length <= 32 ? text : null)

/**
 * Returns the parameter `lang`, else the most preferred language of Accept-Language. The language need not be in the catalogue,
 * because texts of staff, such as rules, may have further translations. Empty without a language tag of up to 32 characters.
 */
export const localeOf = ({ headers }: IncomingMessage, { lang }: Readonly<Record<string, unknown>>): string =>
  (typeof lang === 'string' ? tagOf(lang) : acceptedLanguage(headers['accept-language'], tagOf)) ?? ''

/** Like `localeOf`, but for pages: prefers those languages of Accept-Language that have translations of pages. */
export const pageLocaleOf = (req: IncomingMessage, query: Readonly<Record<string, unknown>>): string =>
  typeof query.lang === 'string'
    ? localeOf(req, query)
    : (acceptedLanguage(req.headers['accept-language'], knownLanguage) ?? localeOf(req, query))
