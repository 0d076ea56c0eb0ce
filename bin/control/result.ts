/** Shared parts of commands: declaration, output, and reading of lists. */

import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { Failure } from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'
import { z } from 'zod'
import type { Operator } from './operator.js'

export interface Result {
  /** Data that the command prints with `--json`. */
  data: unknown
  text: string
  /** Bytes that the command writes to standard output. If present, `text` is printed to standard error. */
  bytes?: Buffer
  /** Exit code of the command; 0 when absent. */
  code?: number
}

/** A noun of the command line, with its commands. */
export type Group = Command

export interface Commands {
  program: Command<[], { json?: true | undefined }>
  /**
   * Returns the command group of a noun. The first call creates it with the description `about`. Later calls return the
   * same group.
   */
  group(name: string, about: string): Group
  /** Returns the action of a command. The action connects to the running server and calls `work`. */
  run<Words extends unknown[]>(
    work: (operator: Operator, ...words: Words) => Promise<Result>,
  ): (...words: Words) => Promise<void>
  /** Returns the action of a command that needs no connection to the server. The action calls `work`. */
  offline<Words extends unknown[]>(
    work: (...words: Words) => Result | Promise<Result>,
  ): (...words: Words) => Promise<void>
}

export const NONE = 'There are none.'

/** Reads every page of a list. */
export const everyPage = async <P extends { next: string | null }>(
  fetchPage: (after: string) => Promise<P>,
  first = '',
): Promise<P[]> => {
  const pages: P[] = []
  const progress = createProgress()
  for (let after: string | null = first; after !== null; ) {
    const page: P = await fetchPage(after)
    pages.push(page)
    progress(`${pages.length} pages read so far`)
    after = page.next
  }
  return pages
}

/** Whether a service did not respond, or one that it needs. */
export const isAway = (error: unknown): boolean =>
  error instanceof Failure && ['unavailable', 'timeout'].includes(error.code)

/** Prints the names of the services that did not respond, to standard error. */
export const sayAway = (unavailable: readonly string[]): void => {
  if (unavailable.length) process.stderr.write(`no response from: ${unavailable.join(', ')}\n`)
}

const PROGRESS_MS = 2_000

/** Returns a function that prints progress to standard error, at most every two seconds. */
export const createProgress = (now: () => number = () => performance.now()): ((text: string) => void) => {
  let reportedAt = now()
  return (text) => {
    if (now() - reportedAt < PROGRESS_MS) return
    reportedAt = now()
    process.stderr.write(`${text}\n`)
  }
}

export const DRY_RUN = ['--dry-run', 'only say what would be removed'] as const

/** Removes an item. A dry run only prints the item. `find` returns a text about the item, or null if the item does not exist. */
export const removeOrReport = async (
  { dryRun }: { dryRun?: true | undefined },
  find: () => Promise<string | null>,
  remove: () => Promise<unknown>,
): Promise<Result> => {
  if (!dryRun) {
    await remove()
    return { data: {}, text: 'Removed.' }
  }
  const found = await find()
  return found === null
    ? { data: { would_remove: null }, text: 'There is nothing to remove.', code: 1 }
    : { data: { would_remove: found }, text: `Would remove: ${found}` }
}

/** Returns a parser for arguments and flags that accepts an integer from 1 to `max`. */
export const numberUpTo =
  (max: number) =>
  (given: string): number => {
    if (!/^\d{1,15}$/.test(given) || Number(given) < 1 || Number(given) > max)
      throw new InvalidArgumentError(`It is a number from 1 to ${max}.`)
    return Number(given)
  }

/** Returns a parser for arguments and flags that accepts an integer from 0 to `max`. */
export const numberFrom0 =
  (max: number) =>
  (given: string): number => {
    if (!/^\d{1,15}$/.test(given) || Number(given) > max)
      throw new InvalidArgumentError(`It is a number from 0 to ${max}.`)
    return Number(given)
  }

/** Parses an argument that is an id. */
export const idOf = (given: string): string => {
  if (!/^\d{1,19}$/.test(given)) throw new InvalidArgumentError('It is the number in the first column of the list.')
  return given
}

/** Parses an argument that is a time or a day. Returns the time in UTC as ISO 8601, the form that every contract accepts. */
export const timeOf = (given: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}/.test(given) ? readTime(given) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('It is a day or a time such as 2026-12-31 or 2026-12-31T18:00Z.')
  return new Date(at).toISOString()
}

/** Parser of a day. */
export const dayOf = (given: string): string => {
  if (!z.iso.date().safeParse(given).success) throw new InvalidArgumentError('It is a day such as 2026-12-31.')
  return given
}

/** A time as text, to the minute in UTC. */
export const minuteText = (iso: string): string => `${iso.slice(0, 16)}Z`

/** Returns the examples that are printed below the help of a command. */
export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((one) => `  bin/ctl ${one}`).join('\n')}`
