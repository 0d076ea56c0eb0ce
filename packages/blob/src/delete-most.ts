/** Deletes blobs of which a few may be undeletable, such as objects with a legal hold. */

import { BlobError } from './errors.js'
import type { BlobStore } from './store.js'

/**
 * Deletes blobs. Returns the keys of those that the store refuses to delete while it deletes the others. Rejects if the
 * store does not respond.
 */
export const deleteMost = async (
  store: Pick<BlobStore, 'delete'>,
  keys: readonly string[],
): Promise<readonly string[]> => {
  try {
    await store.delete(keys)
    return []
  } catch (error) {
    if (error instanceof BlobError && error.undeleted !== null) return error.undeleted
    throw error
  }
}
