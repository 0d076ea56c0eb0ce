/** Handler that opens an e-mail for the service that sends it. */
import { type LoginMail, loginMailOpen } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { type LinkPurpose, linkHolder } from './link.store.js'
import { mailById } from './store.js'

/** Opens a letter for whoever sends it: the address, and the link with its secret. */
export const openMail = handle(loginMailOpen, async (ctx, _viewer, { id }) => ({ letter: await mailOf(ctx, id) }))

/** An e-mail as it is sent. */
const CONFIRM = ['confirm', '/auth/confirmation?confirmation_token='] as const
/** The purpose of the link in an e-mail, and the page it leads to. */
const PAGES: Partial<Record<LoginMail['kind'], readonly [LinkPurpose, string]>> = {
  confirmation: CONFIRM,
  'change-confirmation': CONFIRM,
  'password-reset': ['reset', '/auth/password/edit?reset_password_token='],
}

/** Null for letters that are not there any more, and for those whose link was used or ran out meanwhile. */
export const mailOf = async (
  ctx: Pick<Context, 'db' | 'clock' | 'site' | 'tokens'>,
  id: string,
): Promise<LoginMail | null> => {
  const row = await mailById(ctx.db, id)
  if (!row) return null
  const { kind, locale, username, facts } = row
  const page = PAGES[kind]
  const secret = row.nonce && ctx.tokens.valueOf(row.nonce)
  if (page && !(secret && (await linkHolder(ctx.db, ctx.tokens.digest(secret), page[0], ctx.clock.date())))) return null
  const link = page && secret ? `${ctx.site.origin}${page[1]}${secret}` : null
  return { kind, to: row.address, locale, username, link, facts }
}
