/** A status on a page: who, when, what, and what belongs to it. */
import type { Account, Poll, PreviewCard, Status } from '@murmuration/contracts/entities'
import { webUrl, withoutQuoteLine } from '@murmuration/text'
import { type Html, html } from '../html.js'
import { t } from '../language.js'
import { nameOf, plainText, richText } from '../rich-text.js'
import { mediaGrid } from './media.js'
import { timeOf } from './time.js'

/** A status as pages show it, including boosted and quoted ones. */
export type Shown = Omit<Status, 'reblog' | 'quote'> & { reblog?: unknown; quote?: unknown }

/** An account with avatar, display name and handle, as a link. */
export const personLink = (account: Account, domain: string): Html =>
  html`<a class="who" href="${account.url}"><img class="avatar" src="${account.avatar_static}" alt="" width="46" height="46" loading="lazy"><span><b>${plainText(nameOf(account), account.emojis)}</b><span class="soft">@${account.acct.includes('@') ? account.acct : `${account.acct}@${domain}`}</span></span></a>`

export const pollResults = (poll: Poll): Html => {
  const total = Math.max(1, poll.voters_count ?? poll.votes_count)
  const options = poll.options.map(
    ({ title, votes_count }) =>
      html`<li>${plainText(title, poll.emojis)}${
        votes_count === null
          ? ''
          : html` <span class="soft">${Math.round((votes_count / total) * 100)} %</span><progress max="${total}" value="${votes_count}" aria-label="${title}"></progress>`
      }</li>`,
  )
  const votes = poll.voters_count ?? poll.votes_count
  return html`<ul class="poll">${options}</ul><p class="soft small">${votes > 0 ? t('{count, plural, one {# vote} other {# votes}}', { count: votes }) : ''}${poll.expired ? html` ${t('· closed')}` : poll.expires_at ? html` ${t('· until {date}', { date: timeOf(poll.expires_at) })}` : ''}</p>`
}

const cardOf = (card: PreviewCard): Html | '' => {
  const url = webUrl(card.url)
  const image = webUrl(card.image)
  return url === null
    ? ''
    : html`<a class="link" href="${url}" rel="nofollow noopener">${image ? html`<img src="${image}" alt="${card.image_description}" loading="lazy">` : ''}<span><b>${card.title || card.provider_name || url}</b><span class="soft small">${card.provider_name || new URL(url).hostname}</span></span></a>`
}

const quotedIn = ({ quote }: Shown): Shown | null =>
  (quote as { quoted_status?: Shown | null } | null)?.quoted_status ?? null

/** The HTML of a status as pages show it: without the line that names a quoted status which is shown below. */
export const shownContent = (status: Shown): string =>
  quotedIn(status) ? withoutQuoteLine(status.content) : status.content

/** The quoted status inside the one that quotes it. */
export const quoted = (shown: Shown, domain: string, look: Look = {}): Html | '' => {
  const status = quotedIn(shown)
  return status
    ? html`<blockquote class="quoted">${personLink(status.account, domain)}${bodyOf(status, look)}<p class="small"><a href="${status.url ?? status.uri}">${t('The quoted post')}</a></p></blockquote>`
    : ''
}

/** How a reader wants posts shown; `poll` replaces the results of the poll. */
export interface Look {
  readonly poll?: Html | ''
  /** Content warnings are open. */
  readonly opensWarnings?: boolean
  readonly media?: 'default' | 'show_all' | 'hide_all'
}

/** Text, pictures, poll and link; behind its warning when it has one. */
export const bodyOf = (
  status: Shown,
  { poll = status.poll ? pollResults(status.poll) : '', opensWarnings = false, media: wanted = 'default' }: Look = {},
): Html => {
  const content = html`<div class="content"${status.language ? html` lang="${status.language}"` : ''}>${richText(shownContent(status), status.emojis)}</div>`
  const grid = mediaGrid(status.media_attachments)
  const isHidden = wanted === 'hide_all' || (wanted === 'default' && status.sensitive && !status.spoiler_text)
  const title = status.sensitive ? html`${t('Sensitive media')}` : html`${t('Media')}`
  const media = grid && isHidden ? html`<details><summary>${title}</summary>${grid}</details>` : grid
  const rest = html`${poll}${status.card && status.media_attachments.length === 0 ? cardOf(status.card) : ''}`
  if (!status.spoiler_text) return html`${content}${media}${rest}`
  return html`<details${opensWarnings ? html` open` : ''}><summary>${plainText(status.spoiler_text, status.emojis)}</summary>${content}${media}${rest}</details>`
}

/** Counts that are not zero, and when it was edited. */
const countsOf = (status: Shown): Html | '' => {
  const counts = [
    status.replies_count > 0 && t('{count, plural, one {# reply} other {# replies}}', { count: status.replies_count }),
    status.reblogs_count > 0 && t('{count, plural, one {# boost} other {# boosts}}', { count: status.reblogs_count }),
    status.favourites_count > 0 &&
      t('{count, plural, one {# favourite} other {# favourites}}', { count: status.favourites_count }),
  ].filter((count) => count !== false)
  if (counts.length === 0 && !status.edited_at) return ''
  return html`<p class="counts">${counts.map((count) => html`<span>${count}</span>`)}${status.edited_at ? html`<span>${t('edited {date}', { date: timeOf(status.edited_at) })}</span>` : ''}</p>`
}

/** The account that a reply answers, for lists that show it without its thread. */
const replyLine = (status: Shown, domain: string): Html | null => {
  const { in_reply_to_account_id: id, account, mentions } = status
  if (id === null) return null
  const acct = id === account.id ? account.acct : mentions.find((one) => one.id === id)?.acct
  const page = webUrl(status.url)
  const name = acct === undefined ? '' : html` <bdi>@${acct.includes('@') ? acct : `${acct}@${domain}`}</bdi>`
  const words = acct === undefined ? html`${t('A reply')}` : html`${t('In reply to')}${name}`
  return page === null ? words : html`<a href="${page}">${words}</a>`
}

/** One status as an article. `main` is the one that the page is about; `threaded` articles stand below what they answer. */
export const statusArticle = (
  status: Status,
  {
    domain,
    main = false,
    threaded = false,
    above,
  }: { domain: string; main?: boolean; threaded?: boolean; above?: string },
): Html => {
  const shown: Shown = status.reblog ?? status
  const note =
    above ??
    (status.reblog
      ? html`${t('{account} boosted', { account: plainText(nameOf(status.account), status.account.emojis) })}`
      : null)
  const reply = threaded || main ? null : replyLine(shown, domain)
  return html`<article class="card status${main ? ' main' : ''}">
${note ? html`<p class="above">${note}</p>` : ''}${reply ? html`<p class="above">${reply}</p>` : ''}<div class="top">${personLink(shown.account, domain)}<a href="${shown.url ?? shown.uri}">${timeOf(shown.created_at)}</a></div>
${bodyOf(shown)}${quoted(shown, domain)}${countsOf(shown)}
</article>`
}
