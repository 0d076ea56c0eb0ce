/** Language that a client requests for the response. */
import type { IncomingMessage } from 'node:http'

const TAG = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i

/** The parameter `lang`, else the first language of Accept-Language; empty if it is not a language tag of up to 32 characters. */
export const localeOf = (req: IncomingMessage, given: Readonly<Record<string, unknown>>): string => {
  const { lang } = given
  const text =
    typeof lang === 'string' ? lang : (String(req.headers['accept-language'] ?? '').split(/[,;]/)[0] ?? '').trim()
  return TAG.test(text) && text.length <= 32 ? text : ''
}
