/** A folder in memory for data that is thrown away: making and dropping many small files costs far less there than on a disk. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join, resolve } from 'node:path'

/** Type of a file system in memory, see statfs(2). */
const TMPFS = 0x01021994
/** Bytes that must be free in the file system and in the machine: several times what a run of all tests needs. */
const LEAST = 4 * 2 ** 30

const freeMemory = () => process.availableMemory?.() ?? freemem()

/** The folder that belongs to a data folder, whether it exists or not. */
export const memoryFolderOf = (dir, base = '/dev/shm') =>
  join(base, `murmuration-${createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 12)}`)

/**
 * Makes an empty folder in memory for the holder of a data folder. Removes the data of an earlier holder.
 * @param {string} dir the data folder, which the caller holds
 * @param {{base?: string, least?: number}} [options] least: bytes that must be free
 * @returns {string | null} null when the machine has no file system in memory, or too little of it is free
 */
export function makeMemoryFolder(dir, { base = '/dev/shm', least = LEAST } = {}) {
  const folder = memoryFolderOf(dir, base)
  try {
    rmSync(folder, { recursive: true, force: true })
    const { type, bavail, bsize } = statfsSync(base)
    if (type !== TMPFS || bavail * bsize < least || freeMemory() < least) return null
    mkdirSync(folder, { mode: 0o711 })
    // Everyone may write to this file system, so another user may have made the folder meanwhile.
    return lstatSync(folder).uid === process.getuid() ? folder : null
  } catch {
    return null
  }
}
