/** Runs of an import job for addresses on a server that does not respond. */
import { notYet } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'

/**
 * Pauses in milliseconds before the second and the third run of an import job whose server does not respond. The third
 * run is the last. The second pause is longer than the minute for which requests to such a server are paused.
 */
const PAUSES_MS: readonly number[] = [5_000, 65_000]
/** Milliseconds before the next run after one in which a rate limit of this server was reached. */
const LIMITED_MS = 60_000
/** Tests replace the pauses. */
export const importPauses = { after: (silent: number): number | undefined => PAUSES_MS[silent] }

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
  const pause = limited ? LIMITED_MS : importPauses.after(silent)
  return pause === undefined ? null : { silent: limited ? silent : silent + 1, due: clock.now() + pause }
}

/** Throws an error after which the queue waits, unless the run is due. */
export const requireDue = ({ clock }: Pick<Context, 'clock'>, { due = 0 }: Run): void => {
  const wait = due - clock.now()
  if (wait > 0) throw notYet('Some statuses cannot be read yet', { retryAfter: Math.ceil(wait / 1_000) })
}
