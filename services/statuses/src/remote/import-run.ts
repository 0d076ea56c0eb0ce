/** Runs of an import job for addresses on a server that does not respond. */
import { notYet } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'

/**
 * Milliseconds before the second run of an import job for the same addresses, and before the third and last one, while
 * a server does not respond. Together they are longer than the minute for which requests to such a server are paused.
 * The runs are few, because each page of an import would wait for a server that is gone.
 */
const PAUSES_MS: readonly number[] = [5_000, 65_000]
/** Tests replace the pauses. */
export const importPauses = { after: (silent: number): number | undefined => PAUSES_MS[silent] }

interface Run {
  silent?: number | undefined
  due?: number | undefined
}

/** The next run after a run in which a server did not respond. Null after the last one. */
export const nextRun = ({ clock }: Pick<Context, 'clock'>, { silent = 0 }: Run): Required<Run> | null => {
  const pause = importPauses.after(silent)
  return pause === undefined ? null : { silent: silent + 1, due: clock.now() + pause }
}

/** Throws an error after which the queue waits, unless the run is due. */
export const requireDue = ({ clock }: Pick<Context, 'clock'>, { due = 0 }: Run): void => {
  const wait = due - clock.now()
  if (wait > 0) throw notYet('Some statuses cannot be read yet', { retryAfter: Math.ceil(wait / 1_000) })
}
