/** Shared parts of commands: declaration, output, and reading of lists. */
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Operator } from './operator.js'

export interface Result {
  /** Printed with `--json`. */
  data: unknown
  text: string
  /** Written instead of the text, which goes to the error output. */
  bytes?: Buffer
  /** Status of the process; 0 when absent. */
  code?: number
}

/** Commands of one noun. */
export type Group = Command

export interface Commands {
  program: Command<[], { json?: true | undefined }>
  /** The commands of one noun; several files may add to one. */
  group(name: string, about: string): Group
  /** Turns work on the running server into the action of a command. */
  run<Words extends unknown[]>(
    work: (operator: Operator, ...words: Words) => Promise<Result>,
  ): (...words: Words) => Promise<void>
  /** The same for work that needs no server. */
  offline<Words extends unknown[]>(
    work: (...words: Words) => Result | Promise<Result>,
  ): (...words: Words) => Promise<void>
}

export const NONE = 'There are none.'

/** Reads every page of a list. */
export const everyPage = async <P extends { next: string | null }>(
  ask: (after: string) => Promise<P>,
  first = '',
): Promise<P[]> => {
  const pages: P[] = []
  const progress = createProgress()
  for (let after: string | null = first; after !== null; ) {
    const page: P = await ask(after)
    pages.push(page)
    progress(`${pages.length} pages read so far`)
    after = page.next
  }
  return pages
}

const PROGRESS_MS = 2_000

/** Says how far long work is, at most every two seconds, where it does not disturb `--json`. */
export const createProgress = (now: () => number = () => performance.now()): ((text: string) => void) => {
  let saidAt = now()
  return (text) => {
    if (now() - saidAt < PROGRESS_MS) return
    saidAt = now()
    process.stderr.write(`${text}\n`)
  }
}

export const DRY_RUN = ['--dry-run', 'only say what would be removed'] as const

/** Removes what `find` finds, or only says so. `find` returns what is to be removed in words, or null. */
export const removeOrTell = async (
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

/** A whole number from 1 to `most`, for arguments and flags. */
export const numberUpTo =
  (most: number) =>
  (given: string): number => {
    if (!/^\d{1,15}$/.test(given) || Number(given) < 1 || Number(given) > most)
      throw new InvalidArgumentError(`It is a number from 1 to ${most}.`)
    return Number(given)
  }

/** A whole number from 0 to `most`. */
export const numberFrom0 =
  (most: number) =>
  (given: string): number => {
    if (!/^\d{1,15}$/.test(given) || Number(given) > most)
      throw new InvalidArgumentError(`It is a number from 0 to ${most}.`)
    return Number(given)
  }

/** An id as the server writes it. */
export const idOf = (given: string): string => {
  if (!/^\d{1,19}$/.test(given)) throw new InvalidArgumentError('It is the number in the first column of the list.')
  return given
}

/** A time or day, passed on as it was written. */
export const timeOf = (given: string): string => {
  if (!/^\d{4}-\d{2}-\d{2}/.test(given) || Number.isNaN(Date.parse(given)))
    throw new InvalidArgumentError('It is a day or a time such as 2026-12-31 or 2026-12-31T18:00Z.')
  return given
}

/** Examples below the help of a command. */
export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((one) => `  bin/ctl ${one}`).join('\n')}`
