/** The registry: the reversal of each action of the audit log. */
import { auditNameOf, type State } from '../domain/account-action.js'
import { accountReversal } from './account.js'
import type { Reversal } from './reversal.js'

const STATES: readonly State[] = ['disable', 'sensitive', 'silence', 'suspend']

const accounts = STATES.flatMap((state) =>
  [true, false].map((wanted) => [auditNameOf(state, wanted), accountReversal(state, wanted)] as const),
)

const registry: ReadonlyMap<string, Reversal> = new Map(accounts)

export const reversalOf = (action: string): Reversal | undefined => registry.get(action)

/** Actions that can be undone. */
export const reversibleActions = (): string[] => [...registry.keys()]
