/** What became of an activity: done, ignored because it is none of our business, or refused; the latter two with a name. */
import { isRetryable } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { OutcomeKind } from '../inbox.store.js'

export interface Outcome {
  readonly outcome: OutcomeKind
  readonly reason: string | null
  /** What is told together with the closing of the activity. */
  readonly tell?: (tx: Tx) => Promise<unknown>
}

export const done = (reason: string | null = null, tell?: Outcome['tell']): Outcome => ({
  outcome: 'done',
  reason,
  ...(tell ? { tell } : {}),
})
/** Something is different from before. */
export const hadEffect = ({ outcome, reason }: Outcome): boolean => outcome === 'done' && reason !== 'unchanged'

/** Fine as it is, and nothing to do here. */
export const ignored = (reason: string): Outcome => ({ outcome: 'ignored', reason })
/** Not the sender's to do, or nothing we take. A later, better one is not kept out by it. */
export const refused = (reason: string): Outcome => ({ outcome: 'refused', reason })

/** After the last try: what could have passed is named, everything else is a fault of ours and stays a dead letter. */
export const gaveUp = (error: unknown): Outcome => {
  if (error instanceof Error && error.name === 'Failure' && isRetryable(error)) return refused('gave-up')
  throw error
}
