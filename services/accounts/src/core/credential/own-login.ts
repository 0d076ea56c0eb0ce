/** Finds the user with a name and a password. An unknown name takes as long as a known one (D004). */
import type { Context } from '../../context.js'
import { type UserRow, userByEmail, userByUsername } from '../user/store.js'

/** Finds a user by e-mail address, or by user name if the text contains no @. */
export const userByName = ({ db }: Pick<Context, 'db'>, name: string): Promise<UserRow | null> => {
  const typed = name.trim()
  return typed.includes('@') ? userByEmail(db, typed) : userByUsername(db, typed)
}

/** Returns the user if name and password match, else null. */
export const userByPassword = async (
  ctx: Pick<Context, 'db' | 'passwords'>,
  name: string,
  password: string,
): Promise<UserRow | null> => {
  const user = await userByName(ctx, name)
  const right = await ctx.passwords.matches(user?.password_hash ?? null, password)
  return right ? user : null
}
