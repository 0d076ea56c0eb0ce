/** Source files of the repository, read once for all rules. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** Path of the file from the root of the repository, with slashes. */
  path: string
  text: string
}

/** Paths of files that match these patterns, sorted by name. Both tracked and new files count, but no ignored files. */
export const listFiles = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
    .split('\n')
    .filter(Boolean)
    .toSorted()

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Files that match these patterns, without files that are deleted in the work tree. */
export const sources = (...patterns: string[]): SourceFile[] =>
  listFiles(...patterns).flatMap((path) => {
    try {
      return [{ path, text: read(path) }]
    } catch {
      return []
    }
  })

/** A violation of a rule: its location and its remedy. */
export type Problem = string
