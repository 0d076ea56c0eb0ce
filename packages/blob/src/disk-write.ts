/** Writes files so that they appear whole or not at all, also when the machine stops in between. */

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { incomingFolder } from './disk-path.js'
import { fromFileSystem } from './errors.js'

/** Fills a new file below the incoming folder and flushes it to disk; on any failure the file is gone again. */
export async function writeIncoming(dir: string, chunks: AsyncIterable<Buffer>): Promise<string> {
  const path = join(dir, incomingFolder, randomBytes(16).toString('hex'))
  const write = () => pipeline(chunks, createWriteStream(path, { flags: 'wx', flush: true, mode: 0o640 }))
  try {
    await mkdir(join(dir, incomingFolder), { recursive: true, mode: 0o750 })
    await write()
    return path
  } catch (error) {
    await discard(path)
    throw fromFileSystem(error)
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
