/** Opens the blob store that the configuration selects. */

import { openDiskStore } from './disk.js'
import { checkKey } from './key.js'
import { expectFailure } from './meter.js'
import type { S3Options } from './s3.js'
import type { BlobStore } from './store.js'
import type { Operations } from './translate.js'

/** A folder that only blob stores use. `dir` is created when missing. */
export type DiskOptions = { kind: 'disk'; dir: string }

export type BlobOptions = DiskOptions | S3Options

/**
 * Creates the store. Nothing is connected or created before the first use. The S3 client is loaded only when needed.
 * @example
 * const blobs = createBlobStore({ kind: 'disk', dir: config.mediaFolder })
 * await blobs.put('staging/8c1f', upload, { contentType: 'image/png', maxBytes: 16_777_216 })
 * await blobs.move('staging/8c1f', newKey('media', 'png'))
 */
export function createBlobStore(options: BlobOptions): BlobStore {
  if (options.kind === 'disk') return openDiskStore(options.dir)
  return lazily(() => import('./s3.js').then(({ openS3Store }) => openS3Store(options)), options.publicUrl)
}

/**
 * A store whose code is loaded at its first use. If loading fails, the next use loads it again. `base`: public URL of
 * its objects.
 */
export function lazily(load: () => Promise<Operations>, base: string | undefined): BlobStore {
  let loaded: Promise<Operations> | undefined
  const store = () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
  return {
    put: async (key, source, options) => {
      expectFailure(source)
      return (await store()).put(key, source, options)
    },
    get: async (key, options) => (await store()).get(key, options),
    head: async (key) => (await store()).head(key),
    copy: async (from, to) => (await store()).copy(from, to),
    move: async (from, to) => (await store()).move(from, to),
    delete: async (keys) => (await store()).delete(keys),
    list: async (prefix, cursor) => (await store()).list(prefix, cursor),
    sweep: async (prefix, olderThan) => (await store()).sweep(prefix, olderThan),
    publicUrl: (key) => (base ? `${base.replace(/\/+$/, '')}/${checkKey(key)}` : null),
    close: async () => (await loaded)?.close(),
  }
}
