/** Decodes content encodings, with a limit on the decoded bytes. */

import { Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  inflateRaw,
} from 'node:zlib'
import { OutboundError } from './errors.js'

/** Value of the Accept-Encoding header of all requests. */
export const acceptedEncodings = 'gzip, deflate, br'

const maxEncodings = 2

const tooLarge = () => new OutboundError('too_large', 'the body is larger than asked for')

/**
 * Content encodings of a response, in the order of decoding. Throws `protocol` for an unknown encoding, and for more
 * than two encodings.
 */
export function encodingsOf(headers: Record<string, string>): string[] {
  const names = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',', maxEncodings + 2)
    .map((name) => name.trim().replace(/^x-/, ''))
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > maxEncodings || names.some((name) => !Object.hasOwn(whole, name))) {
    throw new OutboundError('protocol', 'the body has an encoding we did not ask for')
  }
  return names.reverse()
}

type Decode = (body: Buffer, maxOutputLength: number) => Promise<Buffer>

const gunzipAll = promisify(gunzip)
const inflateAll = promisify(inflate)
const inflateRawAll = promisify(inflateRaw)
const brotliAll = promisify(brotliDecompress)

const whole: Record<string, Decode> = {
  gzip: (body, maxOutputLength) => gunzipAll(body, { maxOutputLength }),
  // Some servers send raw deflate data, without the zlib header, as `deflate` (RFC 9110 section 8.4.1.2).
  deflate: (body, maxOutputLength) => (hasZlibHeader(body) ? inflateAll : inflateRawAll)(body, { maxOutputLength }),
  br: (body, maxOutputLength) => brotliAll(body, { maxOutputLength }),
}

/** The decoded body, at most `maxBytes` long. Rejects with `too_large` or `protocol`. */
export async function decodeWhole(encodings: readonly string[], body: Buffer, maxBytes: number): Promise<Buffer> {
  const [encoding, ...rest] = encodings
  if (!encoding || body.length === 0) return body
  try {
    // zlib refuses a limit of 0, and one extra byte suffices to detect a too large body.
    const decoded = await whole[encoding]!(body, maxBytes + 1)
    if (decoded.length > maxBytes) throw tooLarge()
    return await decodeWhole(rest, decoded, maxBytes)
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new OutboundError('protocol', 'the compressed body is damaged', { cause })
  }
}

const streaming: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Transforms for the body, in order. The last stream of the pipeline counts bytes and fails with `too_large`. */
export function decodeStages(encodings: readonly string[], maxBytes: number): Transform[] {
  return encodings.length === 0 ? [] : [...encodings.map((name) => streaming[name]!()), byteCap(maxBytes)]
}

function byteCap(maxBytes: number): Transform {
  let total = 0
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      total += chunk.length
      if (total > maxBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
}

function hasZlibHeader(body: Buffer): boolean {
  return body.length > 1 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
}
