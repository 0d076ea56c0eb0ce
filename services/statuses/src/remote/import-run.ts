/** Runs of an import job for addresses on a server that does not respond. */
import { IMPORT_PAUSES, notYet } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'

/** Pause in seconds after a number of runs without a response, or undefined after the last run. Tests replace it. */
export const importPauses = { after: (silent: number): number | undefined => IMPORT_PAUSES.silent[silent] }

interface Run {
  silent?: number | undefined
  due?: number | undefined
}

/**
 * The next run after a run in which a server did not respond. Null after the last one. A run does not count if a rate
 * limit of this server was reached in it.
 */
export const nextRun = (
  { clock }: Pick<Context, 'clock'>,
  { silent = 0 }: Run,
  limited: boolean,
): { silent: number; due: number } | null => {
  const pause = limited ? IMPORT_PAUSES.limited : importPauses.after(silent)
  return pause === undefined ? null : { silent: limited ? silent : silent + 1, due: clock.now() + pause * 1_000 }
}

/** Throws an error after which the queue waits, unless the run is due. */
export const requireDue = ({ clock }: Pick<Context, 'clock'>, { due = 0 }: Run): void => {
  const wait = due - clock.now()
  if (wait > 0) throw notYet('Some statuses cannot be read yet', { retryAfter: Math.ceil(wait / 1_000) })
}
