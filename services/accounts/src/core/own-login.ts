/** Finds the user with a name and a password. It takes as long for a name that does not exist (D004). */
import type { Context } from '../context.js'
import { type UserRow, userByEmail, userByUsername } from './user.store.js'

/** By e-mail address, or by user name when there is no @ in it. */
export const userByName = ({ db }: Pick<Context, 'db'>, name: string): Promise<UserRow | null> => {
  const typed = name.trim()
  return typed.includes('@') ? userByEmail(db, typed) : userByUsername(db, typed)
}

/** Null when anything is wrong. */
export const userByPassword = async (
  ctx: Pick<Context, 'db' | 'passwords'>,
  name: string,
  password: string,
): Promise<UserRow | null> => {
  const person = await userByName(ctx, name)
  const right = await ctx.passwords.matches(person?.password_hash ?? null, password)
  return right ? person : null
}
