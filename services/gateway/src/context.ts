/** Makes the context of the gateway: the kernel's base, calls that parse their input, and the staging area. */
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { type BaseContext, blobOptionsOf } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { parseInput } from './edge/input/input.js'
import type { Staging } from './edge/input/multipart.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  readonly blobs: BlobStore
  readonly staging: Staging
  /** Origin from which clients fetch files; null without a blob store, and if the store names only paths on this server. */
  readonly mediaOrigin: string | null
}

/** The area of the blob store for uploads. Keys of other areas are never deleted. */
const stagingOf = (blobs: BlobStore): Staging => ({
  put: (...upload) => blobs.put(...upload),
  delete: (keys) => blobs.delete(keys.filter((key) => /^staging\/[\w-]+$/.test(key))),
})

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.env)
  const blobs = base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config)))
  base.onClose('blobs', () => blobs.close())
  const published = base.needs.has('blob') ? blobs.publicUrl('media/x') : null
  // Pages pass text from URLs and forms. Because services do not parse input again, this parses it.
  const call: Context['call'] = (operation, input, options) =>
    base.call(operation, parseInput(operation, input) as typeof input, options)
  return {
    ...base,
    call,
    config,
    blobs,
    staging: stagingOf(blobs),
    mediaOrigin: published && new URL(published).origin,
  }
}
