/** Outcome of an activity: done, ignored because it does not concern this server, or refused. The latter two have a reason. */
import type { Tx } from '@murmuration/db'
import type { OutcomeKind } from '../inbox.store.js'

export interface Outcome {
  readonly outcome: OutcomeKind
  readonly reason: string | null
  /** Announces events in the transaction that closes the activity. */
  readonly tell?: (tx: Tx) => Promise<unknown>
}

export const done = (reason: string | null = null, tell?: Outcome['tell']): Outcome => ({
  outcome: 'done',
  reason,
  ...(tell ? { tell } : {}),
})
/** True if the activity changed something. */
export const hadEffect = ({ outcome, reason }: Outcome): boolean => outcome === 'done' && reason !== 'unchanged'

/** The activity is valid and has no effect here. */
export const ignored = (reason: string): Outcome => ({ outcome: 'ignored', reason })
/** The sender may not do this, or the type is not supported. A later valid delivery replaces it. */
export const refused = (reason: string): Outcome => ({ outcome: 'refused', reason })
