/** Another address for a login: what may be one, and what somebody else took in the meantime. */

import { isDuplicate } from '@murmuration/db'
import type { Context } from '../context.js'
import { asciiEmail, emailProblems } from '../core/credential.rules.js'
import { refusalOf, refuseIfAny } from '../core/problem.rules.js'
import { takenEmail } from '../core/taken.rules.js'
import { isEmailTaken } from '../core/user.store.js'
import type { ProviderVerdict } from './mail-provider.js'
import type { EmailRow } from './store.js'

/** Null when nothing, or the present address, was given; throws when it may not be one. */
export const newAddress = async (
  ctx: Pick<Context, 'db' | 'policy' | 'mailProviders'>,
  person: EmailRow,
  given: string,
): Promise<string | null> => {
  const email = asciiEmail(given)
  if (email === '' || email.toLowerCase() === person.email.toLowerCase()) return null
  refuseIfAny((await addressProblems(ctx, email)).problems)
  return email
}

/** Two who want one address at once: the later one is told that it is taken. */
export const orTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw isDuplicate(error, 'users_email') ? refusalOf([takenEmail()]) : error
  }
}

/** Everything that keeps an address from being somebody's login here. */
export const addressProblems = async (
  ctx: Pick<Context, 'db' | 'policy' | 'mailProviders'>,
  email: string,
): Promise<ProviderVerdict> => {
  const wrong = emailProblems(email)
  if (wrong.length) return { problems: wrong, doubts: false }
  if ((await isEmailTaken(ctx.db, email)) || ctx.policy.access().emailAddress(email))
    return { problems: [takenEmail()], doubts: false }
  return ctx.mailProviders.judge(email.slice(email.indexOf('@') + 1))
}
