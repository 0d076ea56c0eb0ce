/** Rules of bulk actions: the items that change, and the reasons why other items are skipped. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import { BULK_ACTIONS, type BulkNoun, type BulkSkip } from '@murmuration/contracts/admin'
import { errorText, Failure, fail, fieldProblem, invalidField, type Viewer } from '@murmuration/contracts/kit'
import { z } from 'zod'
import type { DecisionRow } from '../account-decision/index.js'
import { checkAct, checkEnd, type State } from '../core/account-action.rules.js'
import { isOn, isReplacing } from '../core/account-state.rules.js'

/** Text that identifies an item (`target`), and the reason why the item is skipped; null for an item that changes. */
export interface Evaluated {
  target: string
  skip: BulkSkip | null
}
/** Evaluated items of a bulk action, by id. */
export type Evaluation = ReadonlyMap<string, Evaluated>

/** Data of a bulk action that are needed to change its items. */
export interface Order {
  id: string
  action: string
  /** `by` is null for operators. */
  by: Viewer | null
  reason: string | null
  notify: boolean
}

const Starter = z.object({
  id: z.string(),
  userId: z.string(),
  permissions: z.number(),
  position: z.number(),
  locale: z.string(),
})

/** The account that started a bulk action, as stored in the row of the bulk action; null for operators. */
export const starterOf = (stored: unknown): Viewer | null => (stored === null ? null : Starter.parse(stored))

/**
 * The account that started a bulk action, limited to the permissions and rank that it had at the start and still has.
 */
export const limitedTo = (by: Viewer, now: AdminRecord | undefined): Viewer => {
  const isActive = now !== undefined && !now.account.disabled && !now.account.suspended
  const permissions = isActive ? by.permissions & Number(now.account.role?.permissions ?? 0) : 0
  return { ...by, permissions, position: Math.min(by.position, now?.position ?? -1) }
}

/** Returns the noun, after a check that it has the action. Throws 422 for an unknown noun or action. */
export const nounOf = (noun: string, action: string): BulkNoun => {
  if (!Object.hasOwn(BULK_ACTIONS, noun) || noun === 'audit_entry')
    throw invalidField('Noun is not included in the list')
  const known = noun as BulkNoun
  if (!(BULK_ACTIONS[known] as readonly string[]).includes(action))
    throw invalidField('Action is not included in the list')
  return known
}

/** State of accounts that each bulk action sets or ends. */
export const STATE_OF: Readonly<Record<string, { state: State; wanted: boolean }>> = {
  disable: { state: 'disable', wanted: true },
  enable: { state: 'disable', wanted: false },
  sensitive: { state: 'sensitive', wanted: true },
  unsensitive: { state: 'sensitive', wanted: false },
  silence: { state: 'silence', wanted: true },
  unsilence: { state: 'silence', wanted: false },
  suspend: { state: 'suspend', wanted: true },
  unsuspend: { state: 'suspend', wanted: false },
}

/** Returns `not_permitted` if the check of the same action on a single item throws 403; else null. */
export const refusedBy = (check: () => void): BulkSkip | null => {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof Failure && error.code === 'forbidden') return 'not_permitted'
    throw error
  }
}

/**
 * Reason why a bulk action does not change the state of an account; null if it does. A state that a domain rule set
 * counts as changed, because it becomes a decision of staff.
 */
export const stateSkip = (
  by: Viewer | null,
  { state, wanted }: { state: State; wanted: boolean },
  target: AdminRecord,
  last: DecisionRow | null,
): BulkSkip | null => {
  const isLocal = target.account.domain === null
  if (state === 'disable' && !isLocal) return 'is_remote'
  const isSet = state === 'suspend' && wanted ? target.suspended_locally : isOn(target, state)
  if (isSet === wanted && !(isSet && isReplacing(target, state, wanted, last))) return 'already'
  const { position, suspended_locally: suspendedLocally } = target
  return refusedBy(() =>
    wanted ? checkAct(by, state, position) : checkEnd(by, state, { position, local: isLocal, suspendedLocally }),
  )
}

/** Evaluates items from their records, by id. An id without a record is skipped as `not_found`. */
export const evaluateRecords = <T>(
  ids: readonly string[],
  records: ReadonlyMap<string, T>,
  { nameOf, skipOf }: { nameOf(record: T): string; skipOf(record: T): BulkSkip | null },
): Evaluation =>
  new Map(
    ids.map((id): [string, Evaluated] => {
      const record = records.get(id)
      return [
        id,
        record === undefined ? { target: id, skip: 'not_found' } : { target: nameOf(record), skip: skipOf(record) },
      ]
    }),
  )

/** Evaluation in which no item changes, because the account that started the bulk action lost its permission. */
export const refuseAll = (ids: readonly string[]): Evaluation =>
  new Map(ids.map((id) => [id, { target: id, skip: 'not_permitted' }]))

/** Ids of the items that change. */
export const changingOf = (evaluated: Evaluation): string[] =>
  [...evaluated].flatMap(([id, { skip }]) => (skip ? [] : [id]))

/** Number of changed items, and of skipped items by reason. */
export const countsOf = (evaluated: Evaluation): { changed: number; skipped: Record<string, number> } => {
  const skipped: Record<string, number> = {}
  for (const { skip } of evaluated.values()) if (skip) skipped[skip] = (skipped[skip] ?? 0) + 1
  return { changed: changingOf(evaluated).length, skipped }
}

/** Throws 409 with the expected and the found number of items if they differ, and 422 if the expected number is invalid. */
export const checkExpected = (expected: number | null | undefined, found: number): void => {
  if (typeof expected !== 'number' || expected === found) return
  if (expected < 0) throw invalidField(fieldProblem('expected', errorText('is invalid')))
  throw fail('conflict', errorText('The selection has {found} items now, not {expected}', { found, expected }), {
    body: { expected, found },
  })
}
