/**
 * Creates and checks the folders that settings name. Node's recursive `mkdir` never returns where the system permits no folders,
 * such as below /proc.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from './settings.js'

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

/** Error codes of a full disk. They do not stop the start, because the space may return. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/**
 * Throws a ConfigError with the name of the setting if no file can be created in its folder. A file is created and
 * removed, because some folders permit writes and then refuse them, such as /proc for root.
 */
export const checkWritable = (env: string, folder: string): void => {
  const path = join(folder, `write-check-${randomUUID()}`)
  try {
    closeSync(openSync(path, 'wx', 0o600))
    rmSync(path)
  } catch (error) {
    if (FULL.has((error as NodeJS.ErrnoException).code)) return
    throw new ConfigError(`${env} is no folder that can be written: ${(error as Error).message}`)
  }
}

/**
 * Creates the folder of a setting with its missing parents. Throws a ConfigError with the name of the setting if that
 * fails, or if no file can be created in the folder.
 */
export const prepareFolder = (env: string, folder: string, mode?: number): void => {
  try {
    makeFolder(folder, mode)
  } catch (error) {
    throw new ConfigError(`${env} is no folder that can be written: ${(error as Error).message}`)
  }
  checkWritable(env, folder)
}
