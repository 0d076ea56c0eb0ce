/** Changes and confirms the e-mail address of a user. */
import { accountInvalidation, accountJoined, tokenInvalidation } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { isDuplicate, type Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { logCredentialChange } from '../core/credential/security-log.js'
import { validTokenIdsOf } from '../core/token/store.js'
import { accountsWithPermission } from '../core/user/store.js'
import { countMails, dropLinks, takeLink, userOfLink, writeMail, writeToAll } from '../mail/index.js'
import {
  clearUnconfirmedEmail,
  confirmEmail,
  type EmailRow,
  emailsOfAccounts,
  lockEmailOfUser,
  recordConfirmationSent,
  recordConfirmed,
  replaceEmail,
  setUnconfirmedEmail,
} from './store.js'

type Changing = Pick<Context, 'db' | 'announce' | 'clock' | 'invalidations' | 'ids' | 'log' | 'tokens'>

/** Maximum number of confirmation e-mails of a user in half an hour, whatever requests them (A090). */
const MAX_MAILS = 6
const WINDOW_MS = 1_800_000
/** Maximum number of staff accounts that get an e-mail about a pending sign-up. */
const MAX_STAFF = 50

/** Creates the confirmation e-mail to the unconfirmed address. Throws a rate-limit error if six e-mails were created for this user in the last half hour. */
export const sendConfirmation = async (ctx: Changing, tx: Tx, user: EmailRow): Promise<void> => {
  const now = ctx.clock.now()
  const since = new Date(now - WINDOW_MS)
  const mails = await countMails(tx, user.user_id, ['confirmation', 'change-confirmation'], since)
  if (mails >= MAX_MAILS) throw fail('rate_limited', 'Too many requests', { retryAfter: WINDOW_MS / 1_000 })
  if (user.confirmed && user.unconfirmed_email)
    return writeMail(ctx, tx, user, 'change-confirmation', { to: user.unconfirmed_email })
  await recordConfirmationSent(tx, user.user_id, ctx.clock.date())
  await writeMail(ctx, tx, user, 'confirmation')
}

/** Announces that accounts joined, stores and announces an e-mail to each, and invalidates cached tokens and accounts. */
export const joinAll = async (ctx: Changing, tx: Tx, users: readonly EmailRow[], approved: boolean): Promise<void> => {
  if (users.length === 0) return
  const ids = users.map((one) => one.account_id)
  await ctx.announce(tx, accountJoined, ...ids.map((id) => ({ id, approved })))
  await writeToAll(ctx, tx, users, approved ? 'approved' : 'welcome')
  const tokens = await validTokenIdsOf(
    tx,
    users.map((one) => one.user_id),
  )
  tx.onCommit(() => {
    ctx.invalidations.send(tokenInvalidation, tokens)
    ctx.invalidations.send(accountInvalidation, ids)
  })
}

/** Announces that one account joined, with its e-mail and cache invalidations, like `joinAll`. */
export const join = (ctx: Changing, tx: Tx, user: EmailRow, approved: boolean): Promise<void> =>
  joinAll(ctx, tx, [user], approved)

/** Stores and announces e-mails about a pending sign-up to staff who may approve it, at most MAX_STAFF. */
const mailStaff = async (ctx: Changing, tx: Tx, user: EmailRow): Promise<void> => {
  const staff = await emailsOfAccounts(
    tx,
    (await accountsWithPermission(tx, PERMISSIONS.manage_users | PERMISSIONS.administrator)).slice(0, MAX_STAFF),
  )
  await writeToAll(ctx, tx, staff, 'sign-up-waiting', { username: user.username, reason: user.reason ?? '' })
}

export type Confirmed = 'confirmed' | 'waiting' | 'changed' | 'taken' | 'used'

/** Makes an e-mail address the confirmed address of a user. The caller has checked the link, or staff confirmed the address. */
export const confirmAddress = async (
  ctx: Changing,
  tx: Tx,
  user: EmailRow,
  email: string,
): Promise<'confirmed' | 'waiting' | 'changed'> => {
  const isFirst = !user.confirmed && email.toLowerCase() === user.email.toLowerCase()
  await confirmEmail(tx, user.user_id, email, ctx.clock.date())
  // Deletes links that were sent to the old e-mail address, so that they no longer work.
  await dropLinks(tx, user.user_id, isFirst ? ['confirm'] : ['confirm', 'reset'])
  if (user.confirmed) {
    logCredentialChange(ctx, tx, user.user_id, { message: 'an e-mail address was changed' })
    return 'changed'
  }
  await recordConfirmed(tx, user.user_id)
  if (!user.approved) {
    await mailStaff(ctx, tx, user)
    return 'waiting'
  }
  await join(ctx, tx, { ...user, email }, false)
  return 'confirmed'
}

const confirm = async (ctx: Changing, tx: Tx, hash: Buffer): Promise<Confirmed> => {
  const at = ctx.clock.date()
  const userId = await userOfLink(tx, hash, 'confirm', at)
  const user = userId === null ? null : await lockEmailOfUser(tx, userId)
  if (!user) return 'used'
  const link = await takeLink(tx, hash, 'confirm', at)
  if (!link?.email) return 'used'
  const email = link.email.toLowerCase()
  const isFirst = !user.confirmed && email === user.email.toLowerCase()
  if (!isFirst && email !== user.unconfirmed_email?.toLowerCase()) return 'used'
  return confirmAddress(ctx, tx, user, link.email)
}

/** Confirms the address that a link was sent to. If several users want the same address, only the first one gets it. */
export const confirmByLink = async (ctx: Changing, token: string): Promise<Confirmed> => {
  try {
    return await ctx.db.tx((tx) => confirm(ctx, tx, ctx.tokens.digest(token)))
  } catch (error) {
    // Another user has confirmed the same e-mail address before.
    if (isDuplicate(error, 'users_email')) return 'taken'
    throw error
  }
}

/**
 * Cancels a change of a confirmed address that waits for its confirmation, and its links; false if there was none. An
 * address that was never confirmed still waits for its confirmation.
 */
export const cancelEmailChange = async (tx: Tx, userId: string): Promise<boolean> => {
  const isCancelled = await clearUnconfirmedEmail(tx, userId)
  if (isCancelled) await dropLinks(tx, userId, ['confirm'])
  return isCancelled
}

/**
 * Changes the e-mail address. An unconfirmed address is replaced immediately; a confirmed one when the new address is
 * confirmed.
 */
export const requestEmail = async (ctx: Changing, tx: Tx, user: EmailRow, email: string): Promise<void> => {
  await dropLinks(tx, user.user_id, ['confirm'])
  await (user.confirmed ? setUnconfirmedEmail : replaceEmail)(tx, user.user_id, email)
  if (!user.confirmed) logCredentialChange(ctx, tx, user.user_id, { message: 'an e-mail address was changed' })
  const changed = user.confirmed ? { ...user, unconfirmed_email: email } : { ...user, email }
  await sendConfirmation(ctx, tx, changed)
  if (user.confirmed) await writeMail(ctx, tx, user, 'email-changed', { values: { email } })
}
