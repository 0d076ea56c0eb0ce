/** Loads public data for pages with anonymous calls. Hidden and missing objects both give 404. */
import { lookupAccount } from '@murmuration/contracts/accounts'
import type { Account, Status } from '@murmuration/contracts/entities'
import { Failure } from '@murmuration/contracts/kit'
import { type PageRequest, pageNotFound } from './page-request.js'

const ABSENT = new Set(['not_found', 'gone', 'forbidden', 'unauthenticated', 'unprocessable', 'invalid'])

/** Converts errors of a call to 404, so that pages do not distinguish hidden from missing objects (D048). */
export const orPageNotFound = async <T>(response: Promise<T>): Promise<T> => {
  try {
    return await response
  } catch (error) {
    throw error instanceof Failure && ABSENT.has(error.code) ? pageNotFound() : error
  }
}

/** Returns the result of a call; null if the call fails. For parts that a page can omit. */
export const orNull = async <T>(response: Promise<T>): Promise<T | null> => {
  try {
    return await response
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Throws 404 if this server shows posts only to signed-in users. */
export const mustBePublic = ({ ctx: { config } }: PageRequest): void => {
  if (config.membersOnly || config.limitedFederation) throw pageNotFound()
}

/** Returns the account with the handle in the URL of a page. Throws 404 for unknown and suspended accounts. */
export const accountByHandle = async ({ ctx }: PageRequest, acct: string): Promise<Account> => {
  const account = await orPageNotFound(ctx.call(lookupAccount, { acct }))
  if (account.suspended) throw pageNotFound()
  return account
}

/** Removes statuses that anonymous visitors must not see. */
export const publicOnly = (statuses: readonly Status[]): Status[] =>
  statuses.filter(({ visibility }) => visibility === 'public' || visibility === 'unlisted')

/** The cursor `max_id` from the query of a page; null without a valid one. */
export const cursorIn = ({ req }: PageRequest): string | null => {
  const { max_id: given } = req.query
  return typeof given === 'string' && /^\d{1,19}$/.test(given) ? given : null
}

/** Whether the account is local. */
export const isOurs = (account: Pick<Account, 'acct'>): boolean => !account.acct.includes('@')
