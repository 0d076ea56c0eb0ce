/** Validates a new e-mail address for a user. */

import { isDuplicate } from '@murmuration/db'
import { requireLoaded } from '@murmuration/kernel'
import { asciiEmail } from '@murmuration/text'
import type { Context } from '../context.js'
import { emailProblems } from '../core/credential/rules.js'
import { takenEmail } from '../core/credential/taken.rules.js'
import { refusalOf, refuseIfAny } from '../core/problem.rules.js'
import { isEmailTaken } from '../core/user/store.js'
import type { ProviderCheck } from './mail-provider.js'
import type { EmailRow } from './store.js'

/**
 * Validates a new e-mail address and returns it in ASCII. Returns null if it is empty or the user's present address.
 * Throws if it is not accepted.
 */
export const newAddress = async (
  ctx: Pick<Context, 'db' | 'policy' | 'mailProviders'>,
  user: EmailRow,
  given: string,
): Promise<string | null> => {
  const email = asciiEmail(given)
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return null
  refuseIfAny((await addressProblems(ctx, email)).problems)
  return email
}

/** Runs `work`. If another user confirmed the same e-mail address meanwhile, throws the validation error for an address that is in use. */
export const orTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw isDuplicate(error, 'users_email') ? refusalOf([takenEmail()]) : error
  }
}

/**
 * All reasons why a user cannot have an e-mail address: its form, another user has it, blocks of staff, and its provider.
 * Throws `unavailable` while the instance policy, which contains the blocks, is not loaded.
 */
export const addressProblems = async (
  ctx: Pick<Context, 'db' | 'policy' | 'mailProviders'>,
  email: string,
): Promise<ProviderCheck> => {
  const wrong = emailProblems(email)
  if (wrong.length) return { problems: wrong, doubts: false }
  requireLoaded(ctx.policy)
  if ((await isEmailTaken(ctx.db, email)) || ctx.policy.access().emailAddress(email))
    return { problems: [takenEmail()], doubts: false }
  return ctx.mailProviders.check(email.slice(email.indexOf('@') + 1))
}
