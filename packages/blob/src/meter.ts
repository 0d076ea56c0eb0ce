/** Counts and hashes bytes on their way into a store, and stops those that are too many. */

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobError } from './errors.js'
import type { PutOptions, PutResult } from './store.js'

/** A source being measured: read `chunks` to the end, then ask for the `result`. */
export type Metered = {
  /** The bytes. Throws `too_large`, or `interrupted` with the source's own error as cause. */
  chunks: AsyncGenerator<Buffer>
  /** Size and hash of the bytes read. Throws `hash_mismatch` when the hash differs from the expected one. */
  result(): PutResult
}

/** Measures `source`; a stream that is not read to its end is destroyed. */
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

/** Keeps a source that breaks off before anybody reads it from ending the process; its reader is told later. */
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
