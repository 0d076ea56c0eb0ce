/** Writes files atomically: after a crash or power loss a file is complete or absent. */

import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { incomingFolder } from './disk-path.js'
import { fromFileSystem } from './errors.js'

/**
 * Writes `chunks` to a new file in the incoming folder and flushes it to disk. Returns the path of the new file. If
 * writing fails, the file is removed.
 */
export async function writeIncoming(dir: string, chunks: AsyncIterable<Buffer>): Promise<string> {
  const path = join(dir, incomingFolder, randomBytes(16).toString('hex'))
  try {
    await mkdir(join(dir, incomingFolder), { recursive: true, mode: 0o750 })
    await fill(path, chunks)
    return path
  } catch (error) {
    await discard(path)
    throw fromFileSystem(error)
  }
}

/**
 * Creates a hard link to the complete file `from` in the incoming folder, or a copy if the file system has no hard
 * links. Returns its path.
 */
export async function linkIncoming(dir: string, from: string): Promise<string> {
  const path = join(dir, incomingFolder, randomBytes(16).toString('hex'))
  await mkdir(join(dir, incomingFolder), { recursive: true, mode: 0o750 })
  try {
    await link(from, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    return writeIncoming(dir, createReadStream(from))
  }
  return path
}

/**
 * Writes the chunks to a file. Resolves or rejects only when the file is closed, because a pending open would create it
 * again after its removal.
 */
async function fill(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', flush: true, mode: 0o640 })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    await pipeline(chunks, file)
  } finally {
    await closed
  }
}

/** Renames a file to its final path, replacing an existing file. Flushes the folder, so that the new name survives a power loss. */
export async function moveInto(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(folder, { recursive: true, mode: 0o750 })
    await rename(from, to)
  })
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes a file; a missing file is no error. */
export async function discard(path: string): Promise<void> {
  await rm(path, { force: true })
}
