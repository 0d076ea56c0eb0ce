/** Composes an e-mail; null if it is no longer needed. */
import { accountRecords, emailsOf, openLoginMail } from '@murmuration/contracts/accounts'
import { STRIKE_LINK_DAYS } from '@murmuration/contracts/admin'
import type { Account, Notification, WarningAction } from '@murmuration/contracts/entities'
import { olderNames } from '@murmuration/contracts/kit'
import { MailedType } from '@murmuration/contracts/notifications'
import { signId } from '@murmuration/kernel'
import { excerpt, htmlToPlainText, withoutQuoteLine } from '@murmuration/text'
import type { Context } from '../context.js'
import { renderNotifications } from '../core/render.js'
import { shortName } from '../core/titles.js'
import { mailChoiceOf } from './choice.store.js'
import { isListening } from './listening.js'
import type { MailText } from './mail.rules.js'
import type { MailRow } from './store.js'
import { type MailTexts, mailTexts } from './texts.js'
import { notificationsByIds, readUpTo } from './unread.store.js'
import { type WrittenMail, writtenMail } from './view.js'

export interface ComposedMail extends WrittenMail {
  to: string
  subject: string
  unsubscribe?: string
}

type Composing = Pick<Context, 'call' | 'db' | 'site' | 'policy' | 'clock' | 'accountCards' | 'secrets'>

const QUOTE_CHARACTERS = 500
const YEAR_MS = 31_536_000_000
const DAY_MS = 86_400_000

const handleOf = (ctx: Composing, username: string): string => `@${username}@${ctx.site.localDomain}`

const written = (
  reader: { username: string; to: string },
  texts: MailTexts,
  code: string,
  mail: MailText,
): ComposedMail => ({
  to: reader.to,
  subject: mail.subject,
  ...writtenMail(mail, { greeting: texts.greeting(`@${reader.username}`), language: code, copyLink: texts.copyLink }),
})

const letter = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { letter: opened } = await ctx.call(openLoginMail, { id: String(row.values.letter) })
  if (!opened) return null
  const { code, texts } = mailTexts(opened.locale)
  const site = ctx.policy.settings().site_title
  const content = texts.login[opened.kind]({
    site,
    handle: handleOf(ctx, opened.username),
    values: opened[olderNames.mailValues],
  })
  return written(opened, texts, code, {
    subject: content.subject,
    paragraphs: content.paragraphs,
    button: content.button ? { label: content.button, href: opened.link ?? `${ctx.site.origin}/` } : undefined,
    after: [texts.aboutLogin(site)],
  })
}

/** Link to a strike that works without a sign-in, because disabled accounts cannot sign in. */
const strikeLink = (ctx: Composing, id: string): string => {
  const token = signId(ctx.secrets.strikeLink, id, ctx.clock.now() + STRIKE_LINK_DAYS * DAY_MS)
  return `${ctx.site.origin}/appeal?token=${token}`
}

interface StrikeMailContent {
  action: WarningAction
  text: string
  /** Link to the strike. Null in e-mails that an earlier release queued. */
  link: string | null
}

/** Composes the e-mail about a strike in the language of the recipient. Returns null if the account has no e-mail address. */
export const composeStrikeMail = async (
  ctx: Composing,
  account: string,
  { action, text, link }: StrikeMailContent,
): Promise<{ mail: ComposedMail; language: string } | null> => {
  const [reader] = (await ctx.call(emailsOf, { ids: [account] })).people
  if (!reader) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const content = texts.strikes[action]({ site, handle: handleOf(ctx, reader.username), values: {} })
  const mail = written({ ...reader, to: reader.email }, texts, code, {
    ...content,
    button: link === null ? undefined : { label: texts.strikeLink, href: link },
    quotes: text ? [{ title: texts.strikeReason, text, href: null }] : [],
    after: [texts.aboutLogin(site)],
  })
  return { mail, language: code }
}

const strike = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { strike: id, action, text } = row.values as { strike?: string; action: WarningAction; text: string }
  const link = id === undefined ? null : strikeLink(ctx, id)
  return (await composeStrikeMail(ctx, row.recipient_id, { action, text, link }))?.mail ?? null
}

/** Composes the e-mail to staff about a new appeal. */
const appeal = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { people: users } = await ctx.call(emailsOf, { ids: [row.recipient_id] })
  const reader = users.find((one) => one.usable)
  if (!reader) return null
  const { appeal: id, target, text } = row.values as { appeal: string; target: string; text: string }
  const [holder] = (await ctx.call(accountRecords, { ids: [target] })).records
  if (!holder) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const values = { username: holder.username }
  const { subject, paragraphs, button } = texts.appeal({ site, handle: handleOf(ctx, reader.username), values })
  return written({ ...reader, to: reader.email }, texts, code, {
    subject,
    paragraphs,
    quotes: [{ title: texts.appealText, text, href: null }],
    button: { label: button ?? subject, href: `${ctx.site.origin}/admin/appeals/${id}` },
  })
}

/** Composes the e-mail to the account holder about the decision on an appeal. The account may be disabled or suspended. */
const appealDecided = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const [reader] = (await ctx.call(emailsOf, { ids: [row.recipient_id] })).people
  if (!reader) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const { state, action } = row.values as { state: 'approved' | 'rejected'; action: WarningAction }
  const values = { undone: action === 'delete_statuses' ? 'no' : 'yes' }
  const content = texts.appealDecided[state]({ site, handle: handleOf(ctx, reader.username), values })
  return written({ ...reader, to: reader.email }, texts, code, {
    ...content,
    button: undefined,
    after: [texts.aboutLogin(site)],
  })
}

const archive = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { people: users } = await ctx.call(emailsOf, { ids: [row.recipient_id] })
  // E-mails about archives are sent to accounts that are not `usable`, too, because accounts that moved may request archives.
  const reader = users.find((one) => !one.closed)
  if (!reader) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const { subject, paragraphs, button } = texts.archive({ site, handle: handleOf(ctx, reader.username), values: {} })
  return written({ ...reader, to: reader.email }, texts, code, {
    subject,
    paragraphs,
    button: { label: button ?? subject, href: `${ctx.site.origin}/settings/export` },
    after: [texts.aboutLogin(site)],
  })
}

const trends = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { people: users } = await ctx.call(emailsOf, { ids: [row.recipient_id] })
  const reader = users.find((one) => one.usable)
  if (!reader) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const counts = row.values as Record<'tags' | 'links' | 'statuses', number>
  const values = { tags: String(counts.tags), links: String(counts.links), statuses: String(counts.statuses) }
  const { subject, paragraphs, button } = texts.trends({ site, handle: handleOf(ctx, reader.username), values })
  return written({ ...reader, to: reader.email }, texts, code, {
    subject,
    paragraphs,
    button: { label: button ?? subject, href: `${ctx.site.origin}/admin/trends` },
  })
}

const terms = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { people: users } = await ctx.call(emailsOf, { ids: [row.recipient_id] })
  // E-mails about terms are sent to accounts that are not `usable`, too, because terms also apply to accounts that moved.
  const reader = users.find((one) => !one.closed)
  if (!reader) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const day = String(row.values.day)
  const { subject, paragraphs, button } = texts.terms({ site, handle: handleOf(ctx, reader.username), values: { day } })
  return written({ ...reader, to: reader.email }, texts, code, {
    subject,
    paragraphs,
    button: { label: button ?? subject, href: `${ctx.site.origin}/terms-of-service/${day}` },
    after: [texts.aboutLogin(site)],
  })
}

const unpublished = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { people: users } = await ctx.call(emailsOf, { ids: [row.recipient_id] })
  // This e-mail is sent to accounts that are not `usable`, too, such as accounts that moved or lack a required second factor.
  const reader = users.find((one) => !one.closed)
  if (!reader) return null
  const { code, texts } = mailTexts(reader.locale)
  const site = ctx.policy.settings().site_title
  const values = { at: String(row.values.at), reason: String(row.values.reason) }
  const { subject, paragraphs } = texts.unpublished({ site, handle: handleOf(ctx, reader.username), values })
  return written({ ...reader, to: reader.email }, texts, code, { subject, paragraphs, after: [texts.aboutLogin(site)] })
}

const nameOf = ({ display_name, username, acct }: Account): string =>
  `${shortName(display_name || username)} (@${acct})`

const newsItem = (texts: MailTexts, notification: Notification) => {
  const type = MailedType.safeParse(notification.type)
  if (!type.success) return []
  const status = 'status' in notification ? notification.status : null
  const content = status ? status.spoiler_text || htmlToPlainText(withoutQuoteLine(status.content)) : ''
  return [
    {
      title: texts.news[type.data](nameOf(notification.account)),
      text: excerpt(content, QUOTE_CHARACTERS),
      href: status?.url ?? notification.account.url,
    },
  ]
}

const news = async (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => {
  const { people: users } = await ctx.call(emailsOf, { ids: [row.recipient_id] })
  const reader = users.find((one) => one.usable)
  if (!reader) return null
  const choice = await mailChoiceOf(ctx.db, row.recipient_id)
  if (!choice.daily && (await isListening(ctx, choice, row.recipient_id))) return null
  const read = await readUpTo(ctx.db, row.recipient_id)
  // The e-mail leaves out notifications that the recipient has read or must not see, notifications that were removed, and
  // types that the recipient unsubscribed from meanwhile.
  const types: ReadonlySet<string> = new Set(choice.types)
  const found = await notificationsByIds(ctx.db, row.recipient_id, row.values.notifications as string[], read)
  const rows = found.filter(({ type }) => types.has(type))
  const shown = [...(await renderNotifications(ctx, row.recipient_id, rows)).values()]
  const { code, texts } = mailTexts(reader.locale)
  const quotes = shown.flatMap((text) => newsItem(texts, JSON.parse(text) as Notification))
  const [first] = quotes
  if (!first) return null
  const site = ctx.policy.settings().site_title
  const token = signId(ctx.secrets.mail, row.recipient_id, ctx.clock.now() + YEAR_MS)
  const unsubscribe = `${ctx.site.origin}/unsubscribe?token=${token}`
  return {
    ...written({ ...reader, to: reader.email }, texts, code, {
      subject: quotes.length === 1 ? first.title : texts.severalNews(quotes.length, site),
      paragraphs: [],
      quotes,
      after: [texts.aboutNews(site), `${texts.unsubscribe}: ${unsubscribe}`],
    }),
    unsubscribe,
  }
}

const WRITERS = {
  letter,
  strike,
  archive,
  news,
  trends,
  terms,
  unpublished,
  appeal,
  'appeal-decided': appealDecided,
}

export const composeMail = (ctx: Composing, row: MailRow): Promise<ComposedMail | null> => WRITERS[row.kind](ctx, row)
