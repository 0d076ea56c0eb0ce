/** Writes small private files that a full disk or a power cut cannot damage. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a private file (mode 0600) under a temporary name, and renames it when it is on the disk. So the file is complete or absent. */
export function writePrivate(file, text) {
  const draft = `${file}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, file)
  const folder = openSync(dirname(file))
  fsyncSync(folder)
  closeSync(folder)
}
