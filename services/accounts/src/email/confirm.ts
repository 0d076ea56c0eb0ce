/** Changes and confirms the e-mail address of a user. */
import { accountHint, accountJoined, tokenHint } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { isDuplicate, type Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { livingTokenIdsOf } from '../core/access-token.store.js'
import { logCredentialChange } from '../core/security-log.js'
import { accountsWithPermission } from '../core/user.store.js'
import { countMails, dropLinks, takeLink, writeMail, writeToAll } from '../mail/index.js'
import {
  confirmEmail,
  type EmailRow,
  emailsOfAccounts,
  lockEmailOfUser,
  recordConfirmationSent,
  recordConfirmed,
  replaceEmail,
  setUnconfirmedEmail,
} from './store.js'

type Changing = Pick<Context, 'db' | 'announce' | 'clock' | 'hints' | 'ids' | 'log' | 'tokens'>

/** Maximum number of confirmation e-mails of a user in half an hour, whatever requests them (A090). */
const MOST_MAILS = 6
const WINDOW_MS = 1_800_000
/** Maximum number of staff accounts that get an e-mail about a pending sign-up. */
const MOST_STAFF = 50

/** Creates the confirmation e-mail to the unconfirmed address. Throws a rate-limit error after six e-mails in half an hour. */
export const sendConfirmation = async (ctx: Changing, tx: Tx, person: EmailRow): Promise<void> => {
  const now = ctx.clock.now()
  const since = new Date(now - WINDOW_MS)
  const mails = await countMails(tx, person.user_id, ['confirmation', 'change-confirmation'], since)
  if (mails >= MOST_MAILS) throw fail('rate_limited', 'Too many requests', { retryAfter: WINDOW_MS / 1_000 })
  if (person.confirmed && person.unconfirmed_email)
    return writeMail(ctx, tx, person, 'change-confirmation', { to: person.unconfirmed_email })
  await recordConfirmationSent(tx, person.user_id, ctx.clock.date())
  await writeMail(ctx, tx, person, 'confirmation')
}

/** Announces that accounts joined, stores and announces an e-mail to each, and invalidates cached tokens and accounts. */
export const joinAll = async (ctx: Changing, tx: Tx, people: readonly EmailRow[], approved: boolean): Promise<void> => {
  if (people.length === 0) return
  const ids = people.map((one) => one.account_id)
  await ctx.announce(tx, accountJoined, ...ids.map((id) => ({ id, approved })))
  await writeToAll(ctx, tx, people, approved ? 'approved' : 'welcome')
  const tokens = await livingTokenIdsOf(
    tx,
    people.map((one) => one.user_id),
  )
  tx.onCommit(() => {
    ctx.hints.send(tokenHint, tokens)
    ctx.hints.send(accountHint, ids)
  })
}

/** Announces that one account joined, like `joinAll`. */
export const join = (ctx: Changing, tx: Tx, person: EmailRow, approved: boolean): Promise<void> =>
  joinAll(ctx, tx, [person], approved)

/** Stores and announces e-mails about a pending sign-up to staff who may approve it, at most MOST_STAFF. */
const mailStaff = async (ctx: Changing, tx: Tx, person: EmailRow): Promise<void> => {
  const staff = await emailsOfAccounts(
    tx,
    (await accountsWithPermission(tx, PERMISSIONS.manage_users | PERMISSIONS.administrator)).slice(0, MOST_STAFF),
  )
  await writeToAll(ctx, tx, staff, 'sign-up-waiting', { username: person.username, reason: person.reason ?? '' })
}

export type Confirmed = 'confirmed' | 'waiting' | 'changed' | 'taken' | 'used'

/** Makes an address the confirmed one. The caller has checked the link, or staff confirmed the address. */
export const confirmAddress = async (
  ctx: Changing,
  tx: Tx,
  person: EmailRow,
  email: string,
): Promise<'confirmed' | 'waiting' | 'changed'> => {
  const isFirst = !person.confirmed && email.toLowerCase() === person.email.toLowerCase()
  await confirmEmail(tx, person.user_id, email, ctx.clock.date())
  // Links that were sent to the old address no longer work.
  await dropLinks(tx, person.user_id, isFirst ? ['confirm'] : ['confirm', 'reset'])
  if (person.confirmed) {
    logCredentialChange(ctx, tx, person.user_id, { message: 'an e-mail address was changed' })
    return 'changed'
  }
  await recordConfirmed(tx, person.user_id)
  if (!person.approved) {
    await mailStaff(ctx, tx, person)
    return 'waiting'
  }
  await join(ctx, tx, { ...person, email }, false)
  return 'confirmed'
}

const confirm = async (ctx: Changing, tx: Tx, hash: Buffer): Promise<Confirmed> => {
  const link = await takeLink(tx, hash, 'confirm', ctx.clock.date())
  const person = link && (await lockEmailOfUser(tx, link.user_id))
  if (!link?.email || !person) return 'used'
  const email = link.email.toLowerCase()
  const isFirst = !person.confirmed && email === person.email.toLowerCase()
  if (!isFirst && email !== person.unconfirmed_email?.toLowerCase()) return 'used'
  return confirmAddress(ctx, tx, person, link.email)
}

/** Confirms the address that a link was sent to. If several users want the same address, only the first one gets it. */
export const confirmByLink = async (ctx: Changing, token: string): Promise<Confirmed> => {
  try {
    return await ctx.db.tx((tx) => confirm(ctx, tx, ctx.tokens.digest(token)))
  } catch (error) {
    // Another user has confirmed the same address.
    if (isDuplicate(error, 'users_email')) return 'taken'
    throw error
  }
}

/**
 * Changes the e-mail address. An unconfirmed address is replaced immediately; a confirmed one when the new address is
 * confirmed.
 */
export const requestEmail = async (ctx: Changing, tx: Tx, person: EmailRow, email: string): Promise<void> => {
  await dropLinks(tx, person.user_id, ['confirm'])
  await (person.confirmed ? setUnconfirmedEmail : replaceEmail)(tx, person.user_id, email)
  if (!person.confirmed) logCredentialChange(ctx, tx, person.user_id, { message: 'an e-mail address was changed' })
  const changed = person.confirmed ? { ...person, unconfirmed_email: email } : { ...person, email }
  await sendConfirmation(ctx, tx, changed)
  if (person.confirmed) await writeMail(ctx, tx, person, 'email-changed', { facts: { email } })
}
