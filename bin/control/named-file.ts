/**
 * Reads a file that an argument of the command line names, relative to the current directory; `-` is standard input.
 */
import { readFileSync } from 'node:fs'

/** Returns the bytes of the file. If the file cannot be read, throws an error whose message is for the user. */
export const readNamed = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`)
  }
}
