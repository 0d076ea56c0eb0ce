/** Lists the blobs of a disk store page by page, ordered by path. Folders before the cursor are not read. */

import type { Dirent } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileAt, incomingFolder, keyOfPath } from './disk-path.js'
import type { BlobPage } from './store.js'

const pageSize = 1_000

/** One page of the blobs whose keys begin with `prefix`, ordered by path. `cursor` is the last path of the previous page. */
export async function listDisk(dir: string, prefix: string, cursor = ''): Promise<BlobPage> {
  const area = prefix.slice(0, prefix.indexOf('/'))
  const found: { place: string; key: string }[] = []
  for await (const path of pathsBelow(dir, area, cursor, 3)) {
    const key = keyOfPath(path)
    if (key?.startsWith(prefix)) found.push({ place: path, key })
    if (found.length > pageSize) break
  }
  const page = found.slice(0, pageSize)
  const blobs = await Promise.all(
    page.map(async ({ place: path, key }) => {
      const stats = await stat(fileAt(dir, path)).catch(() => null)
      return stats && { key, size: stats.size, lastModified: stats.mtime }
    }),
  )
  return {
    blobs: blobs.filter((blob) => blob !== null),
    ...(found.length > pageSize ? { cursor: page[pageSize - 1]!.place } : {}),
  }
}

/** Yields the paths `depth` levels below `path` that are after the path `cursor`, in order. */
async function* pathsBelow(dir: string, path: string, cursor: string, depth: number): AsyncGenerator<string> {
  const entries = await readdir(fileAt(dir, path), { withFileTypes: true }).catch(noFolder)
  const names = entries.filter((entry) => entry.isDirectory() === depth > 1).map((entry) => entry.name)
  for (const name of names.sort()) {
    const below = `${path}/${name}`
    if (below <= cursor && !cursor.startsWith(`${below}/`)) continue
    if (depth === 1) yield below
    else yield* pathsBelow(dir, below, cursor, depth - 1)
  }
}

/** Removes unfinished uploads that were last written before `olderThan`. The processes of these uploads have ended. */
export async function sweepIncoming(dir: string, olderThan: Date): Promise<void> {
  const names = await readdir(join(dir, incomingFolder)).catch(noFolder)
  await Promise.all(
    names.map(async (name) => {
      const path = join(dir, incomingFolder, String(name))
      const stats = await stat(path).catch(() => null)
      if (stats && stats.mtime < olderThan) await rm(path, { force: true })
    }),
  )
}

function noFolder(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT') return []
  throw error
}
