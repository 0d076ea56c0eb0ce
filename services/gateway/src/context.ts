/** Creates the context of the gateway: the kernel's base, calls that parse their input, and the staging area for uploads. */
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { termsOfServiceNow } from '@murmuration/contracts/admin'
import { type BaseContext, blobOptionsOf } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { parseInput } from './edge/input/input.js'
import type { Staging } from './edge/input/multipart.js'
import { createTermsInForce } from './pages/core/terms-in-force.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  readonly blobs: BlobStore
  readonly staging: Staging
  /** Origin from which clients fetch media files. Null without a blob store, and if its files have only paths on this server. */
  readonly mediaOrigin: string | null
  /** Whether terms of service are in effect, from memory. */
  readonly termsInForce: () => boolean
}

/** The part of the blob store that contains uploads. Files outside this part are never deleted. */
const stagingOf = (blobs: BlobStore): Staging => ({
  put: (...upload) => blobs.put(...upload),
  delete: (keys) => blobs.delete(keys.filter((key) => /^staging\/[\w-]+$/.test(key))),
})

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.env)
  const blobs = base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config)))
  base.onClose('blobs', () => blobs.close())
  const published = base.needs.has('blob') ? blobs.publicUrl('media/x') : null
  // The input of calls by pages is parsed here. It contains text from URLs and forms, and services do not parse the input again.
  const call: Context['call'] = (operation, input, options) =>
    base.call(operation, parseInput(operation, input) as typeof input, options)
  return {
    ...base,
    call,
    config,
    blobs,
    staging: stagingOf(blobs),
    mediaOrigin: published && new URL(published).origin,
    termsInForce: createTermsInForce(base.clock, () => call(termsOfServiceNow, {})),
  }
}
