/** Makes folders of settings. Node's own recursive call never returns where the system makes no folders, such as below /proc. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Makes a folder and those above it, if they are missing. Throws the error of the system. */
export const makeFolder = (path: string, mode = 0o777): void => {
  const missing: string[] = []
  for (let at = resolve(path); !isFolder(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing)
    try {
      mkdirSync(one, { mode })
    } catch (error) {
      // Another process may have made it in the same moment.
      if (!isFolder(one)) throw error
    }
}
