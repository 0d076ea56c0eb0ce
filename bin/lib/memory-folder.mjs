/** A folder in memory for temporary data, where creating and deleting many small files is much faster than on a disk. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join, resolve } from 'node:path'

/** Type of tmpfs in statfs(2). */
const TMPFS = 0x01021994
/** Number of bytes that must be free in the file system and in memory: several times what a run of all tests needs. */
const MIN_FREE_BYTES = 4 * 2 ** 30

const freeMemory = () => process.availableMemory?.() ?? freemem()

/** Path of the folder in memory that belongs to a data folder. It may not exist yet. */
export const memoryFolderOf = (dir, base = '/dev/shm') =>
  join(base, `murmuration-${createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 12)}`)

/**
 * Creates an empty folder in memory for a locked data folder. Deletes earlier data in it.
 * @param {string} dir the data folder, which the caller has locked
 * @param {{base?: string, least?: number}} [options] least: bytes that must be free
 * @returns {string | null} null without a tmpfs or without enough free memory
 */
export function makeMemoryFolder(dir, { base = '/dev/shm', least = MIN_FREE_BYTES } = {}) {
  const folder = memoryFolderOf(dir, base)
  try {
    rmSync(folder, { recursive: true, force: true })
    const { type, bavail, bsize } = statfsSync(base)
    if (type !== TMPFS || bavail * bsize < least || freeMemory() < least) return null
    mkdirSync(folder, { mode: 0o711 })
    // Because all users may write to this file system, another user may have created the folder meanwhile.
    return lstatSync(folder).uid === process.getuid() ? folder : null
  } catch {
    return null
  }
}
