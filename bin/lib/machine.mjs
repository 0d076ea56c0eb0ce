/** Properties of this machine: programs on the path, packages in node_modules, platform and user. */
import { accessSync, chmodSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository, without a trailing slash. */
export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)))

export const isRoot = process.getuid?.() === 0

/** Platform of this machine in the form that names of npm packages with binaries contain, such as linux-x64. */
export const platform = `${process.platform}-${process.arch}`

const systemFolders = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** Whether the environment variable HIDE_PROGRAMS names the program. With it, tests simulate missing programs. */
export const isHidden = (program) => (process.env.HIDE_PROGRAMS ?? '').split(',').includes(program)

export const isRunnable = (file) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Full path of a program on the path; null if it is missing. */
export function which(program) {
  if (isHidden(program)) return null
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...systemFolders]
  return folders.map((folder) => join(folder, program)).find(isRunnable) ?? null
}

/** Folder of an installed npm package, with symbolic links resolved; null if the package is missing. */
export function packageFolder(name) {
  const folder = join(root, 'node_modules', name)
  return existsSync(folder) ? realpathSync(folder) : null
}

/** Sets the executable bit of a file, which archives may lose. Returns true if the file is executable afterwards. */
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

/** Whether a dotted version is at least `floor`, compared number by number. */
export function isAtLeast(version, floor) {
  const [have, want] = [version, floor].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0))
  const differing = want.findIndex((part, at) => (have[at] ?? 0) !== part)
  return differing === -1 || (have[differing] ?? 0) > want[differing]
}
