/** A file that somebody named on the command line, seen from the folder they stand in; `-` is the input. */
import { readFileSync } from 'node:fs'

/** The bytes of the file, or one sentence about why it cannot be read. */
export const readNamed = (path: string): Buffer => {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`)
  }
}
