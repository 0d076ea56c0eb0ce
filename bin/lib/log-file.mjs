/**
 * Opens log files of the backing services, which are bounded in size, and reads them for the reason of a failed start.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Opens a log file for appending and creates its folder. A file larger than the limit is renamed to <file>.old, replacing an
 * earlier one.
 * @returns {{fd: number, from: number}} the file descriptor and the current size
 */
export function openLog(file, maxBytes = 20_000_000) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.old`)
  const fd = openSync(file, 'a', 0o600)
  return { fd, from: fstatSync(fd).size }
}

/** The text of a log file after a position, at most the last 64 kB. */
export function textSince(file, from) {
  const fd = openSync(file, 'r')
  try {
    const size = fstatSync(fd).size
    const start = Math.max(from, size - 65_536)
    const bytes = Buffer.alloc(Math.max(0, size - start))
    readSync(fd, bytes, 0, bytes.length, start)
    return bytes.toString('utf8')
  } finally {
    closeSync(fd)
  }
}
