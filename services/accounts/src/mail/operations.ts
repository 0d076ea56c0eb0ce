/** Handler that returns a login e-mail for sending. */
import { type LoginMail, openLoginMail } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { type LinkPurpose, validLinkAmong } from './link.store.js'
import { mailById } from './store.js'

/** Returns a login e-mail with its recipient and its link, which contains a secret. The notifications service sends it. */
export const openMail = handle(openLoginMail, async (ctx, _viewer, { id }) => ({ letter: await mailOf(ctx, id) }))

const CONFIRM = ['confirm', '/auth/confirmation?confirmation_token='] as const
/** Purpose of the link of each kind of e-mail, and the page that it opens. */
const PAGES: Partial<Record<LoginMail['kind'], readonly [LinkPurpose, string]>> = {
  confirmation: CONFIRM,
  'change-confirmation': CONFIRM,
  'password-reset': ['reset', '/auth/password/edit?reset_password_token='],
}

/** The secret of the link with this nonce; null if the link was used or expired. */
const secretOfLink = async (
  ctx: Pick<Context, 'db' | 'clock' | 'tokens'>,
  nonce: Buffer,
  purpose: LinkPurpose,
): Promise<string | null> => {
  const links = ctx.tokens.valuesOf(nonce).map((secret) => ({ secret, hash: ctx.tokens.digest(secret) }))
  const hashes = links.map((one) => one.hash)
  const valid = await validLinkAmong(ctx.db, hashes, purpose, ctx.clock.date())
  return links.find(({ hash }) => valid?.equals(hash))?.secret ?? null
}

/** Returns an e-mail as it is sent. Returns null if the e-mail is deleted, or its link was used or expired. */
export const mailOf = async (
  ctx: Pick<Context, 'db' | 'clock' | 'site' | 'tokens'>,
  id: string,
): Promise<LoginMail | null> => {
  const row = await mailById(ctx.db, id)
  if (!row) return null
  const { kind, locale, username, values } = row
  const page = PAGES[kind]
  const secret = page && row.nonce && (await secretOfLink(ctx, row.nonce, page[0]))
  if (page && !secret) return null
  const link = page && secret ? `${ctx.site.origin}${page[1]}${secret}` : null
  return { kind, to: row.address, locale, username, link, [olderNames.mailValues]: values }
}
