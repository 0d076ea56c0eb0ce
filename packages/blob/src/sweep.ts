/** Deletes old blobs page by page, for every kind of store. */

import { deleteMost } from './delete-most.js'
import type { BlobStore, SweepResult } from './store.js'

const maxPages = 100

/**
 * Deletes the blobs below `prefix` that were last written before `olderThan`. A sweep stops after 100 pages. Rejects if
 * the store deletes nothing.
 */
export async function sweepPages(
  store: Pick<BlobStore, 'list' | 'put' | 'delete'>,
  prefix: string,
  olderThan: Date,
): Promise<SweepResult> {
  const sweepFrom = async (
    cursor: string | undefined,
    before: Omit<SweepResult, 'complete'>,
    pagesLeft: number,
  ): Promise<SweepResult> => {
    if (pagesLeft === 0) return { ...before, complete: false }
    const page = await store.list(prefix, cursor)
    const old = page.blobs.filter((blob) => blob.lastModified < olderThan).map((blob) => blob.key)
    // A blob that cannot be deleted must not stop the sweep.
    const { length: kept } = old.length > 0 ? await deleteMost(store, old) : []
    const total = { deleted: before.deleted + old.length - kept, undeleted: before.undeleted + kept }
    return page.cursor ? sweepFrom(page.cursor, total, pagesLeft - 1) : { ...total, complete: true }
  }
  return sweepFrom(undefined, { deleted: 0, undeleted: 0 }, maxPages)
}
