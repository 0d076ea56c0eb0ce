/** Who somebody is by name and password; takes as long for people who do not exist (D004). */
import type { Context } from '../context.js'
import { type PersonRow, personByEmail, personByUsername } from './user.store.js'

/** By e-mail address, or by user name when there is no @ in it. */
export const personByName = ({ db }: Pick<Context, 'db'>, name: string): Promise<PersonRow | null> => {
  const typed = name.trim()
  return typed.includes('@') ? personByEmail(db, typed) : personByUsername(db, typed)
}

/** Null when anything is wrong. */
export const personByPassword = async (
  ctx: Pick<Context, 'db' | 'passwords'>,
  name: string,
  password: string,
): Promise<PersonRow | null> => {
  const person = await personByName(ctx, name)
  const right = await ctx.passwords.matches(person?.password_hash ?? null, password)
  return right ? person : null
}
