/**
 * Creates login e-mails in the transaction of their cause. Stores the row and its one-time link, and announces an event
 * without secrets.
 */
import { type LoginMailKind, loginMailWritten } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertLink, type LinkPurpose } from './link.store.js'
import { insertMails, type MailRow } from './store.js'

/** The recipient of an e-mail. */
export interface Addressee {
  readonly user_id: string
  readonly username: string
  readonly email: string
  readonly locale: string
}

const PURPOSE: Partial<Record<LoginMailKind, LinkPurpose>> = {
  confirmation: 'confirm',
  'change-confirmation': 'confirm',
  'password-reset': 'reset',
}
const SECONDS: Record<LinkPurpose, number> = {
  confirm: limits.accounts.confirmationSeconds,
  reset: limits.accounts.passwordResetSeconds,
}

type Writing = Pick<Context, 'announce' | 'clock' | 'ids' | 'tokens'>

const post = async (ctx: Pick<Writing, 'announce'>, tx: Tx, mails: readonly MailRow[]): Promise<void> => {
  if (mails.length === 0) return
  await insertMails(tx, mails)
  await ctx.announce(tx, loginMailWritten, ...mails.map(({ id, kind }) => ({ id, kind })))
}

/** Stores and announces the same e-mail for several users, like `writeMail`. Only for kinds of e-mail without a link. */
export const writeToAll = (
  ctx: Pick<Writing, 'announce' | 'clock' | 'ids'>,
  tx: Tx,
  users: readonly Addressee[],
  kind: Exclude<LoginMailKind, 'confirmation' | 'change-confirmation' | 'password-reset'>,
  values: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const created_at = ctx.clock.date()
  const mails = users.map(({ user_id, username, email, locale }) => ({
    id: ctx.ids.next(),
    kind,
    user_id,
    address: email,
    locale,
    username,
    nonce: null,
    values: { ...values },
    created_at,
  }))
  return post(ctx, tx, mails)
}

/**
 * Stores and announces an e-mail to a user. The notifications service sends it after the commit.
 * `to`: an address other than the user's present one. `values`: listed per kind in the contract (`LoginMailKind`).
 */
export const writeMail = async (
  ctx: Writing,
  tx: Tx,
  user: Addressee,
  kind: LoginMailKind,
  { to = user.email, values = {} }: { to?: string; values?: Readonly<Record<string, string>> } = {},
): Promise<void> => {
  const id = ctx.ids.next()
  const at = ctx.clock.date()
  const purpose = PURPOSE[kind]
  const nonce = purpose ? ctx.tokens.nonce() : null
  if (purpose && nonce)
    await insertLink(tx, {
      hash: ctx.tokens.digest(ctx.tokens.valueOf(nonce)),
      userId: user.user_id,
      purpose,
      email: purpose === 'confirm' ? to : null,
      expiresAt: new Date(at.getTime() + SECONDS[purpose] * 1_000),
    })
  await post(ctx, tx, [
    {
      id,
      kind,
      user_id: user.user_id,
      address: to,
      locale: user.locale,
      username: user.username,
      nonce,
      values: { ...values },
      created_at: at,
    },
  ])
}
