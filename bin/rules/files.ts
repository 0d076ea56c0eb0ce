/** Source files of the repository, read once for all rules. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** Path from the root, with slashes. */
  path: string
  text: string
}

/** Paths of tracked and new files that are not ignored, sorted by name. */
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

/** Files of these patterns, without those deleted in the work tree. */
export const sources = (...patterns: string[]): SourceFile[] =>
  listFiles(...patterns).flatMap((path) => {
    try {
      return [{ path, text: read(path) }]
    } catch {
      return []
    }
  })

/** A violation: its location and a remedy. */
export type Problem = string
