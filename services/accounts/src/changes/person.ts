/** A local person begins: account, login, counters, preferences, and the event. */
import { accountCreated } from '@murmuration/contracts/accounts'
import { isDuplicate } from '@murmuration/db'
import type { Context } from '../context.js'
import { emailProblems, passwordProblems, usernameProblems } from '../domain/credential.js'
import { problem, refusalOf, refuseIfAny } from '../domain/problem.js'
import { insertLocalAccount } from '../store/account.js'
import { insertUser } from '../store/user.js'

export interface NewPerson {
  username: string
  email: string
  password: string
  roleId: string | null
  confirmed: boolean
  approved: boolean
  locale: string
  /** Operators may give reserved names. */
  mayBeReserved: boolean
}

const TAKEN = 'has already been taken'

/** Which of two that race wins is decided by the unique indexes; the other learns what was taken (F065). */
const asProblem = (error: unknown): unknown => {
  if (isDuplicate(error, 'accounts_handle')) return refusalOf([problem('username', 'ERR_TAKEN', TAKEN)])
  if (isDuplicate(error, 'users_email')) return refusalOf([problem('email', 'ERR_TAKEN', TAKEN)])
  return error
}

export const createPerson = async (
  ctx: Pick<Context, 'db' | 'ids' | 'clock' | 'site' | 'passwords' | 'announce'>,
  person: NewPerson,
): Promise<{ id: string; userId: string }> => {
  refuseIfAny([
    ...usernameProblems(person.username, person.mayBeReserved),
    ...emailProblems(person.email),
    ...passwordProblems(person.password),
  ])
  const passwordHash = await ctx.passwords.hash(person.password)
  const id = ctx.ids.next()
  const userId = ctx.ids.next()
  const createdAt = ctx.clock.date()
  try {
    await ctx.db.tx(async (tx) => {
      await insertLocalAccount(tx, {
        id,
        username: person.username,
        uri: `${ctx.site.origin}/ap/users/${id}`,
        url: `${ctx.site.origin}/@${person.username}`,
        createdAt,
      })
      await insertUser(tx, {
        id: userId,
        accountId: id,
        email: person.email,
        passwordHash,
        roleId: person.roleId,
        locale: person.locale,
        confirmedAt: person.confirmed ? createdAt : null,
        approved: person.approved,
        createdAt,
      })
      await ctx.announce(tx, accountCreated, { id, local: true })
    })
  } catch (error) {
    throw asProblem(error)
  }
  return { id, userId }
}
