/**
 * Creates the folders that settings name. Node's recursive `mkdir` never returns where the system permits no folders,
 * such as below /proc.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Creates a folder and its missing parents. Throws the error of the operating system if that fails. */
export const makeFolder = (path: string, mode = 0o777): void => {
  const missing: string[] = []
  for (let at = resolve(path); !isFolder(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing)
    try {
      mkdirSync(one, { mode })
    } catch (error) {
      // Another process may have created the folder at the same time.
      if (!isFolder(one)) throw error
    }
}
