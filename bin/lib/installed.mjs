/** Compares node_modules with the lock file. npm writes a record of the installed packages to node_modules. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** True if node_modules matches the lock file. @param {string} root the repository */
export function matchesLockfile(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, want]) => {
    if (path === '') return true
    const have = present[path]
    if (have) return have.version === want.version && have.integrity === want.integrity && existsSync(join(root, path))
    return want.optional === true && !isForThisMachine(want)
  })
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

/**
 * Whether an optional package is restricted to machines like this one, so that it must be installed. Other optional
 * packages may be absent.
 */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu && !libc) return false
  return accepts(os, process.platform) && accepts(cpu, process.arch) && (!libc || accepts(libc, cLibrary()))
}

const cLibrary = () => (process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')

const accepts = (list, value) =>
  !list || (list.some((item) => item.startsWith('!')) ? !list.includes(`!${value}`) : list.includes(value))
