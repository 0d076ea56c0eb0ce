/** Public data for pages, requested anonymously: a fixed number of calls for each page, and 404 for hidden objects. */
import { accountLookup } from '@murmuration/contracts/accounts'
import type { Account, Status } from '@murmuration/contracts/entities'
import { Failure } from '@murmuration/contracts/kit'
import { nothingHere, type Visit } from './visit.js'

const ABSENT = new Set(['not_found', 'gone', 'forbidden', 'unauthenticated', 'unprocessable', 'invalid'])

/** Refusals become "not there": a page never tells hidden from absent (D048). */
export const orNothing = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    throw error instanceof Failure && ABSENT.has(error.code) ? nothingHere() : error
  }
}

/** For what a page can do without: null while its owner does not answer. */
export const orNull = async <T>(asked: Promise<T>): Promise<T | null> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Throws where only members see what people wrote. */
export const mustBePublic = ({ ctx: { config } }: Visit): void => {
  if (config.membersOnly || config.limitedFederation) throw nothingHere()
}

/** An account by the handle in an address. */
export const accountByHandle = async ({ ctx }: Visit, acct: string): Promise<Account> => {
  const account = await orNothing(ctx.call(accountLookup, { acct }))
  if (account.suspended) throw nothingHere()
  return account
}

/** Statuses that a stranger may be shown, whoever they were asked from. */
export const publicOnly = (statuses: readonly Status[]): Status[] =>
  statuses.filter(({ visibility }) => visibility === 'public' || visibility === 'unlisted')

/** The cursor of a page of statuses; null for the first page or nonsense. */
export const cursorIn = ({ req }: Visit): string | null => {
  const { max_id: given } = req.query
  return typeof given === 'string' && /^\d{1,19}$/.test(given) ? given : null
}

/** `alice`, or `alice@far.example`; null for what is no handle. */
export const isOurs = (account: Pick<Account, 'acct'>): boolean => !account.acct.includes('@')
