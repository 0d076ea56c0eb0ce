/** Rules of sign-ups: required input, minimum age, and whether staff must approve. */

import { limits } from '@murmuration/contracts/limits'
import { isTimeZone } from '../core/preference/time-zone.rules.js'
import { type Problem, problem, tooLong } from '../core/problem.rules.js'
import type { UsableInvite } from '../invite/index.js'

/** Input of a sign-up that is validated here. */
export interface Application {
  username?: string | undefined
  email?: string | undefined
  password?: string | undefined
  agreement?: boolean | undefined
  locale?: string | null | undefined
  reason?: string | null | undefined
  time_zone?: string | null | undefined
  date_of_birth?: string | null | undefined
  invite_code?: string | null | undefined
}

export interface Terms {
  mode: 'none' | 'approved' | 'open'
  requireReason: boolean
  /** Minimum age of users in years; null if the server has no minimum age. */
  minAge: number | null
  invite: UsableInvite | null
}

/** Whether a reason is shown on the sign-up page. A reason is shown if staff must approve and the user has no invitation. */
export const reasonWanted = ({ mode, requireReason, invite }: Terms): 'none' | 'optional' | 'required' =>
  mode !== 'approved' || invite ? 'none' : requireReason ? 'required' : 'optional'

/** A date as milliseconds in UTC at midnight. Null if the text is no date, or no such day exists. */
const dayOf = (text: string): number | null => {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim())
  if (!match) return null
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const at = Date.UTC(year, month - 1, day)
  const date = new Date(at)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? at : null
}

/** Whole years between two times, by the calendar in UTC. */
const yearsBetween = (from: number, to: number): number => {
  const [a, b] = [new Date(from), new Date(to)]
  const before = b.getUTCMonth() - a.getUTCMonth() || b.getUTCDate() - a.getUTCDate()
  return b.getUTCFullYear() - a.getUTCFullYear() - (before < 0 ? 1 : 0)
}

const ageProblems = (given: string | null | undefined, minAge: number | null, now: number): Problem[] => {
  if (minAge === null) return []
  if (!given?.trim()) return [problem('date_of_birth', 'ERR_BLANK', "can't be blank")]
  const born = dayOf(given)
  if (born === null || born > now) return [problem('date_of_birth', 'ERR_INVALID', 'is invalid')]
  return yearsBetween(born, now) < minAge ? [problem('date_of_birth', 'ERR_BELOW_LIMIT', 'is below the age limit')] : []
}

const reasonProblems = (reason: string | null | undefined, wanted: ReturnType<typeof reasonWanted>): Problem[] => {
  if (wanted === 'required' && !reason?.trim()) return [problem('reason', 'ERR_BLANK', "can't be blank")]
  const max = limits.accounts.signUpReasonCharacters
  return [...(reason ?? '')].length > max ? [tooLong('reason', max)] : []
}

/** Problems of all input except name, address and password, in the order of the form. */
export const applicationProblems = (given: Application, terms: Terms, now: number): Problem[] => [
  ...(given.agreement ? [] : [problem('agreement', 'ERR_ACCEPTED', 'must be accepted')]),
  ...reasonProblems(given.reason, reasonWanted(terms)),
  ...ageProblems(given.date_of_birth, terms.minAge, now),
  ...(given.time_zone && !isTimeZone(given.time_zone)
    ? [problem('time_zone', 'ERR_INCLUSION', 'is not included in the list')]
    : []),
]

/**
 * Whether a sign-up needs no approval by staff. `doubts`: true if a rule of staff about the IP address, the e-mail
 * provider or the name requires approval.
 */
export const isApproved = ({ mode, invite }: Terms, doubts: boolean): boolean =>
  invite?.bypasses ? true : mode === 'open' && !doubts
