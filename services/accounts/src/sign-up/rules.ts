/** Signing up: what must be said, by whom, and whether staff has to look first. */

import { limits } from '@murmuration/contracts/limits'
import { type Problem, problem, tooLong } from '../core/problem.rules.js'
import type { UsableInvite } from '../invite/index.js'

/** Input of a sign-up. */
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
  /** Years; null when nobody asks. */
  minAge: number | null
  invite: UsableInvite | null
}

/** Reasons are asked for where staff decides, and never of people who were invited. */
export const reasonWanted = ({ mode, requireReason, invite }: Terms): 'none' | 'optional' | 'required' =>
  mode !== 'approved' || invite ? 'none' : requireReason ? 'required' : 'optional'

/** A day that exists, as milliseconds in UTC; null for anything else. */
const dayOf = (text: string): number | null => {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim())
  if (!match) return null
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const at = Date.UTC(year, month - 1, day)
  const date = new Date(at)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? at : null
}

/** Whole years between two moments, by the calendar in UTC. */
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
  const most = limits.accounts.signUpReasonCharacters
  return [...(reason ?? '')].length > most ? [tooLong('reason', most)] : []
}

/** A name of the time zone database, in any case. */
const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Everything besides name, address and password, in the order in which it is asked. */
export const applicationProblems = (said: Application, terms: Terms, now: number): Problem[] => [
  ...(said.agreement ? [] : [problem('agreement', 'ERR_ACCEPTED', 'must be accepted')]),
  ...reasonProblems(said.reason, reasonWanted(terms)),
  ...ageProblems(said.date_of_birth, terms.minAge, now),
  ...(said.time_zone && !isTimeZone(said.time_zone)
    ? [problem('time_zone', 'ERR_INCLUSION', 'is not included in the list')]
    : []),
]

/** Whether somebody is let in without staff. `doubts` are rules about the address, the mail provider or the name. */
export const isApproved = ({ mode, invite }: Terms, doubts: boolean): boolean =>
  invite?.bypasses ? true : mode === 'open' && !doubts
