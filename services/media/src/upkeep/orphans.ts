/** Task that removes files to which no row refers. The task reads the pages of the blob store. */
import type { Reader } from '@murmuration/db'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { releaseFiles } from './remove.js'
import { AREAS, copyNameOf, nextPosition, positionOf } from './rules.js'
import { heldFiles } from './store.js'

/** Minimum age in milliseconds (a day) of a file that is deleted. The row of a younger file may not be stored yet. */
const YOUNG_MS = 86_400_000

interface Blob {
  key: string
  size: number
}

interface Page {
  next: string | null
  seen: number
  /** Files of the page that have the minimum age. */
  old: Blob[]
}

/** Files of this list to which no row refers. */
const orphansAmong = async (db: Reader, blobs: readonly Blob[]): Promise<Blob[]> => {
  const keys = blobs.map((blob) => blob.key)
  const copies = keys.flatMap((key) => {
    const name = copyNameOf(key)
    return name?.kind === 'attachment' ? [{ key, ...name }] : []
  })
  const held = await heldFiles(db, keys, copies)
  return blobs.filter((blob) => !held.has(blob.key))
}

export const orphansKind = taskKind<Context>()<Record<string, never>, Page>({
  name: 'remove-orphans',
  permission: 'view_devops',
  act: () => ({ action: 'remove_orphaned_media', target: '' }),
  async prepare(ctx, { after }) {
    const position = positionOf(after)
    const page = await ctx.files.list(AREAS[position.area] ?? AREAS[0], position.cursor)
    const bound = ctx.clock.now() - YOUNG_MS
    const old = page.blobs.filter((blob) => blob.lastModified.getTime() < bound)
    return { next: nextPosition(position, page.cursor), seen: page.blobs.length, old }
  },
  // The rows are read in the transaction that inserts the keys into the unused files. So files that are stored meanwhile
  // are kept.
  async apply(ctx, tx, { dryRun }, { next, seen, old }) {
    const orphans = await orphansAmong(tx, old)
    const keys = orphans.map((blob) => blob.key)
    if (!dryRun && keys.length > 0) await releaseFiles(ctx, tx, keys)
    const bytes = orphans.reduce((sum, blob) => sum + blob.size, 0)
    return { next, seen, changed: keys.length, bytes }
  },
})
