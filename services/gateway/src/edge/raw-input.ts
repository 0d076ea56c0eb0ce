/** Bodies that are signed byte by byte: passed on exactly as they came, with the headers a signature may cover. */

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { fail } from '@murmuration/contracts/kit'
import { readBody } from './body.js'
import type { Exchange } from './exchange.js'

const zip = promisify(gzip)
/** Above this the body travels compressed, so that a document of 1 MB fits in a bus message. */
const PLAIN = 256_000
const MAX_HEADERS = 64

/** Input of a signed request: method, path with query as received, headers, and the body as text or gzipped base64. */
export const rawInput = async (exchange: Exchange): Promise<Record<string, unknown>> => {
  const { req, operation } = exchange
  const bytes = exchange.method === 'POST' ? await readBody(req, operation.rawBody) : Buffer.alloc(0)
  const text = bytes.toString('utf8')
  // A body that is not UTF-8 would change on the way, and no JSON is anything else.
  if (bytes.length > 0 && Buffer.byteLength(text) !== bytes.length) throw fail('invalid', 'The body is not UTF-8')
  const headers = Object.fromEntries(Object.entries(req.headers).slice(0, MAX_HEADERS))
  return {
    method: exchange.method,
    target: req.url ?? '/',
    headers,
    ip: exchange.ip,
    ...(bytes.length > PLAIN ? { gzip: (await zip(bytes)).toString('base64') } : { body: text }),
  }
}
