/** Outcomes of processed activities. `ignored` and `refused` have a reason. */
import type { Tx } from '@murmuration/db'
import type { OutcomeKind } from '../inbox.store.js'

export interface Outcome {
  readonly outcome: OutcomeKind
  readonly reason: string | null
  /** Announces events in the transaction that stores the outcome of the activity. */
  readonly notify?: (tx: Tx) => Promise<unknown>
}

export const done = (reason: string | null = null, notify?: Outcome['notify']): Outcome => ({
  outcome: 'done',
  reason,
  ...(notify ? { notify } : {}),
})
/** True if the activity had an effect on this server. */
export const hasChanged = ({ outcome, reason }: Outcome): boolean => outcome === 'done' && reason !== 'unchanged'

/** Outcome of a valid activity that has no effect here. */
export const ignored = (reason: string): Outcome => ({ outcome: 'ignored', reason })
/** Outcome of an activity that is invalid, unsupported, not permitted, or concerns no local account. */
export const refused = (reason: string): Outcome => ({ outcome: 'refused', reason })
