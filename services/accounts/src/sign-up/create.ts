/**
 * Creates a local account with its user, counters and preferences. Stores the origin of the sign-up, and announces
 * events.
 */

import { accountJoined, accountRegistered } from '@murmuration/contracts/accounts'
import { isDuplicate, type Tx } from '@murmuration/db'
import { asciiEmail } from '@murmuration/text'
import type { Context } from '../context.js'
import { putNames } from '../core/account/name.store.js'
import { insertLocalAccount } from '../core/account/store.js'
import { commonPasswords, publicNames } from '../core/credential/common-passwords.js'
import { emailProblems, passwordProblems, usernameProblems } from '../core/credential/rules.js'
import { takenEmail, takenName } from '../core/credential/taken.rules.js'
import { refusalOf, refuseIfAny } from '../core/problem.rules.js'
import { insertUser } from '../core/user/store.js'
import { writeMail } from '../mail/index.js'
import { insertSignUp, type SignUpRow } from './store.js'

/** Origin of a sign-up, such as its IP address, application and invitation. */
export type Beginning = Partial<Pick<SignUpRow, 'ip' | 'reason' | 'time_zone' | 'application_id' | 'invite_id'>>

export interface NewUser {
  username: string
  email: string
  /** Password of the user; null for users who sign in with an external provider. */
  password: string | null
  roleId: string | null
  confirmed: boolean
  approved: boolean
  locale: string
  /** True if a reserved name may be assigned. Only operators may do this. */
  mayBeReserved: boolean
  beginning?: Beginning
}
export interface UserIds {
  id: string
  userId: string
}

type Creating = Pick<Context, 'db' | 'ids' | 'clock' | 'site' | 'passwords' | 'announce' | 'tokens' | 'log'>

/**
 * Converts a violated unique index to a validation error. If concurrent sign-ups have the same name or address, one
 * succeeds (F065).
 */
const asProblem = (error: unknown): unknown => {
  if (isDuplicate(error, 'accounts_handle')) return refusalOf([takenName()])
  if (isDuplicate(error, 'users_email')) return refusalOf([takenEmail()])
  return error
}

const insert = async (ctx: Creating, tx: Tx, user: NewUser, ids: UserIds, hash: string | null): Promise<void> => {
  const { id, userId } = ids
  const createdAt = ctx.clock.date()
  await insertLocalAccount(tx, {
    id,
    username: user.username,
    uri: `${ctx.site.origin}/ap/users/${id}`,
    url: `${ctx.site.origin}/@${user.username}`,
    createdAt,
  })
  await putNames(tx, [{ id, username: user.username, domain: null, display_name: '' }])
  await insertUser(tx, {
    id: userId,
    accountId: id,
    email: user.email,
    passwordHash: hash,
    roleId: user.roleId,
    locale: user.locale,
    confirmedAt: user.confirmed ? createdAt : null,
    approved: user.approved,
    createdAt,
  })
  const { roleId } = user
  if (roleId !== null) tx.onCommit(() => ctx.log.info({ accountId: id, userId, roleId }, 'a role was assigned'))
  await insertSignUp(tx, {
    user_id: userId,
    account_id: id,
    ip: user.beginning?.ip ?? null,
    reason: user.beginning?.reason ?? null,
    time_zone: user.beginning?.time_zone ?? null,
    application_id: user.beginning?.application_id ?? null,
    invite_id: user.beginning?.invite_id ?? null,
    confirmation_sent_at: user.confirmed ? null : createdAt,
    waiting: !user.approved,
  })
  await ctx.announce(tx, accountRegistered, { id })
  if (!user.confirmed) await writeMail(ctx, tx, { ...user, user_id: userId }, 'confirmation')
  else if (user.approved) await ctx.announce(tx, accountJoined, { id, approved: false })
}

/** Creates a local account. `inTransaction` runs in the same transaction, after the rows are inserted. */
export const createUser = async <T = void>(
  ctx: Creating,
  given: NewUser,
  inTransaction?: (tx: Tx, ids: UserIds) => Promise<T>,
): Promise<UserIds & { more: T | undefined }> => {
  const user = { ...given, email: asciiEmail(given.email) }
  const { username, email, password } = user
  const common = password === null ? undefined : await commonPasswords()
  refuseIfAny([
    ...usernameProblems(username, user.mayBeReserved),
    ...emailProblems(email),
    ...(password === null
      ? []
      : passwordProblems(password, { ...(common ? { common } : {}), near: publicNames(ctx, username) })),
  ])
  const hash = password === null ? null : await ctx.passwords.hash(password)
  const ids = { id: ctx.ids.next(), userId: ctx.ids.next() }
  try {
    const more = await ctx.db.tx(async (tx) => {
      await insert(ctx, tx, user, ids, hash)
      return inTransaction?.(tx, ids)
    })
    return { ...ids, more }
  } catch (error) {
    throw asProblem(error)
  }
}
