/** Writes a letter with the change it tells of: the row, its one-time link, and the event without any secret. */
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

const post = async (ctx: Pick<Writing, 'announce'>, tx: Tx, letters: readonly MailRow[]): Promise<void> => {
  if (letters.length === 0) return
  await insertMails(tx, letters)
  await ctx.announce(tx, loginMailWritten, ...letters.map(({ id, kind }) => ({ id, kind })))
}

/** Writes the same letter, of a kind that carries no link, to several people. */
export const writeToAll = (
  ctx: Pick<Writing, 'announce' | 'clock' | 'ids'>,
  tx: Tx,
  people: readonly Addressee[],
  kind: Exclude<LoginMailKind, 'confirmation' | 'change-confirmation' | 'password-reset'>,
  facts: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const created_at = ctx.clock.date()
  const letters = people.map(({ user_id, username, email, locale }) => ({
    id: ctx.ids.next(),
    kind,
    user_id,
    address: email,
    locale,
    username,
    nonce: null,
    facts: { ...facts },
    created_at,
  }))
  return post(ctx, tx, letters)
}

/**
 * Writes an e-mail to a user. Notifications sends it after the commit. `to` is another address than that of the login.
 * The contract (`LoginMailKind`) lists the facts of each kind.
 */
export const writeMail = async (
  ctx: Writing,
  tx: Tx,
  person: Addressee,
  kind: LoginMailKind,
  { to = person.email, facts = {} }: { to?: string; facts?: Readonly<Record<string, string>> } = {},
): Promise<void> => {
  const id = ctx.ids.next()
  const at = ctx.clock.date()
  const purpose = PURPOSE[kind]
  const nonce = purpose ? ctx.tokens.nonce() : null
  if (purpose && nonce)
    await insertLink(tx, {
      hash: ctx.tokens.digest(ctx.tokens.valueOf(nonce)),
      userId: person.user_id,
      purpose,
      email: purpose === 'confirm' ? to : null,
      expiresAt: new Date(at.getTime() + SECONDS[purpose] * 1_000),
    })
  await post(ctx, tx, [
    {
      id,
      kind,
      user_id: person.user_id,
      address: to,
      locale: person.locale,
      username: person.username,
      nonce,
      facts: { ...facts },
      created_at: at,
    },
  ])
}
