/** What this machine has: programs on the path, packages in node_modules, and who we are on it. */
import { accessSync, chmodSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder, without a trailing slash. */
export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)))

export const isRoot = process.getuid?.() === 0

/** Packages with binaries are named after this, for example linux-x64. */
export const platform = `${process.platform}-${process.arch}`

const systemFolders = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** True for programs that a test wants to be absent, so that a fallback can be tried where the program exists. */
export const isHidden = (program) => (process.env.HIDE_PROGRAMS ?? '').split(',').includes(program)

export const isRunnable = (file) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The full path of a program of this machine, or null. */
export function which(program) {
  if (isHidden(program)) return null
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...systemFolders]
  return folders.map((folder) => join(folder, program)).find(isRunnable) ?? null
}

/** The real folder of an installed npm package, or null. */
export function packageFolder(name) {
  const folder = join(root, 'node_modules', name)
  return existsSync(folder) ? realpathSync(folder) : null
}

/** Archives do not always keep the executable bit; true when the file can be run afterwards. */
export function makeRunnable(file) {
  if (!isRunnable(file) && existsSync(file)) {
    try {
      chmodSync(file, 0o755)
    } catch {
      return false
    }
  }
  return isRunnable(file)
}

/** True when a dotted version is at least another one, number by number. */
export function isAtLeast(version, floor) {
  const [have, want] = [version, floor].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0))
  const differing = want.findIndex((part, at) => (have[at] ?? 0) !== part)
  return differing === -1 || (have[differing] ?? 0) > want[differing]
}
