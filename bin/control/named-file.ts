/** A file that an argument of the command line names, relative to the current directory; `-` is standard input. */
import { readFileSync } from 'node:fs'

/** The bytes of the file. Throws an error with a user-readable message if it cannot be read. */
export const readNamed = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`)
  }
}
