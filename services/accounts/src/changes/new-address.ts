/** Another address for a login: what may be one, and what somebody else took in the meantime. */
import { isDuplicate } from '@murmuration/db'
import type { Context } from '../context.js'
import { asciiEmail } from '../domain/credential.js'
import { refusalOf, refuseIfAny } from '../domain/problem.js'
import type { EmailRow } from '../store/email.js'
import { takenEmail } from './person.js'
import { addressProblems } from './sign-up.js'

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
