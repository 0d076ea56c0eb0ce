/** Writes files so that they appear whole or not at all, also when the machine stops in between. */

import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { incomingFolder } from './disk-path.js'
import { fromFileSystem } from './errors.js'

/** Fills a new file below the incoming folder and flushes it to disk; on any failure the file is gone again. */
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

/** A new name below the incoming folder for a file that is whole; where the file system knows no second names, a copy. */
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

/** Settles only once the file is closed: an opening still under way would make the file again after it was removed. */
async function fill(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', flush: true, mode: 0o640 })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  try {
    await pipeline(chunks, file)
  } finally {
    await closed
  }
}

/** Moves a file to its place, replacing what is there, and flushes the folder so that the name is kept too. */
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

/** Removes a file that may already be gone. */
export async function discard(path: string): Promise<void> {
  await rm(path, { force: true })
}
