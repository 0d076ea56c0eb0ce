/** Deletes blobs of which a few may be undeletable, such as objects with a legal hold. */

import { unknownType } from './content-type.js'
import { BlobError } from './errors.js'
import type { BlobStore } from './store.js'

type Part = Pick<BlobStore, 'put' | 'delete'>

/**
 * Stores and deletes a small blob in the area of `key`. Rejects if the store cannot do that. Resolves if the store is
 * full: it may still delete blobs. The key of the probe is always the same, so that at most one stays in a store that
 * deletes nothing.
 */
const probeDeletion = async (store: Part, key: string): Promise<void> => {
  const probe = `${key.slice(0, key.indexOf('/'))}/deletion-probe`
  try {
    await store.put(probe, Buffer.from('probe'), { contentType: unknownType, maxBytes: 5 })
    await store.delete([probe])
  } catch (cause) {
    // Only `put` rejects with this code. An error here would stop the deletions that free space.
    if (cause instanceof BlobError && cause.code === 'no_space') return
    throw new BlobError('unavailable', 'the store deletes no blobs', { cause })
  }
}

/**
 * Deletes blobs. Returns the keys of those that the store refuses to delete. Rejects if the store does not respond, and
 * if it deletes none of these blobs and no new blob either. The new blob is left out if the store is full.
 */
export const deleteMost = async (store: Part, keys: readonly string[]): Promise<readonly string[]> => {
  try {
    await store.delete(keys)
    return []
  } catch (error) {
    if (!(error instanceof BlobError) || error.undeleted === null) throw error
    const [first] = error.undeleted
    if (first !== undefined && error.undeleted.length === keys.length) await probeDeletion(store, first)
    return error.undeleted
  }
}
