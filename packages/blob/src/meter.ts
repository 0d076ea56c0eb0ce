/** Counts and hashes the bytes of an upload, and rejects uploads that are too large. */

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobError } from './errors.js'
import type { PutOptions, PutResult } from './store.js'

/** A measured source: read `chunks` to the end, then call `result`. */
export type Metered = {
  /** The measured bytes, to be read once. Throws `too_large`, or `interrupted` with the source's own error as cause. */
  chunks: AsyncGenerator<Buffer>
  /** Size and hash of the bytes read. Throws `hash_mismatch` when the hash differs from the expected one. */
  result(): PutResult
}

/** Counts the bytes of `source`, and computes their SHA-256. A stream that is not read to its end is destroyed. */
export function meter(source: Readable | Buffer, options: Pick<PutOptions, 'maxBytes' | 'sha256'>): Metered {
  expectFailure(source)
  const hash = createHash('sha256')
  let size = 0

  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of bytesOf(source)) {
      size += chunk.length
      if (size > options.maxBytes) throw new BlobError('too_large', `more than ${options.maxBytes} bytes`)
      hash.update(chunk)
      yield chunk
    }
  }

  return {
    chunks: measured(),
    result() {
      const sha256 = hash.digest('hex')
      if (options.sha256 !== undefined && options.sha256 !== sha256) {
        throw new BlobError('hash_mismatch', 'the bytes are not those that were announced')
      }
      return { size, sha256 }
    },
  }
}

/**
 * Adds an error listener, so that a source that fails before it is read does not end the process. The reader of the
 * stream gets the error.
 */
export function expectFailure(source: Readable | Buffer): void {
  if (!Buffer.isBuffer(source)) source.on('error', () => {})
}

async function* bytesOf(source: Readable | Buffer): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(source)) {
    yield source
    return
  }
  let finished = false
  try {
    for await (const chunk of source) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    finished = true
  } catch (cause) {
    throw new BlobError('interrupted', 'the source broke off', { cause })
  } finally {
    if (!finished) source.destroy()
  }
}
