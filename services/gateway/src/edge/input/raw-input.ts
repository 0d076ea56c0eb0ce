/** Bodies that are signed byte by byte: passed on exactly as they came, with the headers a signature may cover. */
import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { fail } from '@murmuration/contracts/kit'
import type { Exchange } from '../exchange.js'

const zip = promisify(gzip)
/** Above this the body travels compressed, so that a document of 1 MB fits in a bus message. */
const PLAIN = 256_000
const MAX_HEADERS = 64

/** Input of a signed request: path parameters, method, path with query as received, headers, and the body as text or gzipped base64. */
export const rawInput = async (
  { req, method, params, ip }: Exchange,
  bytes: Buffer | null,
): Promise<Record<string, unknown>> => {
  const input = {
    ...params,
    method,
    target: req.url ?? '/',
    headers: Object.fromEntries(Object.entries(req.headers).slice(0, MAX_HEADERS)),
    ip,
  }
  if (bytes === null) return { ...input, body: '' }
  // A body that is not UTF-8 would change on the way, and no JSON is anything else.
  if (!isUtf8(bytes)) throw fail('invalid', 'The body is not UTF-8')
  return bytes.length > PLAIN
    ? { ...input, gzip: (await zip(bytes)).toString('base64') }
    : { ...input, body: bytes.toString('utf8') }
}
