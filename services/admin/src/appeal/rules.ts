/** Rules of appeals: which texts are valid, until when a strike can be appealed, and who may decide. */
import type { AdminAppeal, WarningAction } from '@murmuration/contracts/entities'
import { errorText, fail, invalidField, type Viewer } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { State } from '../core/account-action.rules.js'

export const appealTextOf = (given: string | undefined): string => {
  const text = (given ?? '').trim()
  const max = limits.accounts.appealCharacters
  if (text === '') throw invalidField("Text can't be blank")
  if ([...text].length > max)
    throw invalidField(errorText('Text is too long (maximum is {most} characters)', { most: max }))
  return text
}

/** Throws 422 if the strike was overruled, or if the deadline of an appeal has passed. */
export const checkTime = (strike: { overruled_at: Date | null }, deadline: Date, now: number): void => {
  if (strike.overruled_at !== null) throw invalidField('Strike was overruled')
  if (deadline.getTime() <= now) throw invalidField('Strike is too old for an appeal')
}

const STATES: readonly string[] = ['pending', 'approved', 'rejected']

/** Returns the state filter of a list of appeals. Default: `pending`. */
export const stateOf = (given: string | null | undefined): AdminAppeal['state'] => {
  if (!given) return 'pending'
  if (!STATES.includes(given)) throw invalidField('State is not included in the list')
  return given as AdminAppeal['state']
}

/** Throws 403 if staff decides about an appeal of their own account. `by` is null for operators. */
export const checkDecider = (by: Pick<Viewer, 'id'> | null, target: string): void => {
  if (by?.id === target) throw fail('forbidden', 'This action is not allowed')
}

/**
 * The state of an account that a moderation action sets and an approved appeal ends; null for an action that sets no
 * state.
 */
export const stateAfter = (action: WarningAction): State | null =>
  action === 'disable' || action === 'sensitive' || action === 'silence' || action === 'suspend' ? action : null
