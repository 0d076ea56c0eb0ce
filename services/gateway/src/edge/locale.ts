/** The language somebody would like to be answered in. */
import type { IncomingMessage } from 'node:http'

const TAG = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i

/** `lang` of the request, else the first language of the header; empty when neither is one. */
export const localeOf = (req: IncomingMessage, given: Readonly<Record<string, unknown>>): string => {
  const { lang } = given
  const text =
    typeof lang === 'string' ? lang : (String(req.headers['accept-language'] ?? '').split(/[,;]/)[0] ?? '').trim()
  return TAG.test(text) && text.length <= 32 ? text : ''
}
