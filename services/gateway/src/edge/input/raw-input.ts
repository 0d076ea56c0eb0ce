/**
 * Collects the input of operations with a signed body (HTTP signatures): the unchanged bytes and headers of the
 * request.
 */
import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { fail } from '@murmuration/contracts/kit'
import type { Exchange } from '../exchange.js'

const gzipAsync = promisify(gzip)
/** Number of bytes above which a body is compressed, so that a document of 1 MB fits in a message on the bus. */
const MAX_PLAIN = 256_000
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
  // A body that is not UTF-8 is refused, because its bytes would change when they are converted to text. JSON is always UTF-8 (RFC 8259).
  if (!isUtf8(bytes)) throw fail('invalid', 'The body is not UTF-8')
  return bytes.length > MAX_PLAIN
    ? { ...input, gzip: (await gzipAsync(bytes)).toString('base64') }
    : { ...input, body: bytes.toString('utf8') }
}
