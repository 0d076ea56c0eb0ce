/** A status as HTML: author, time, content, attachments, poll, emoji reactions and counts. */
import type { Account, Poll, PreviewCard, Status } from '@murmuration/contracts/entities'
import { htmlToPlainText, webUrl, withoutQuoteLine } from '@murmuration/text'
import { dotted, type Html, html } from '../html.js'
import { t } from '../language.js'
import { nameOf, plainText, richText } from '../rich-text.js'
import { mediaGrid } from './media.js'
import { reactionList } from './reactions.js'
import { timeOf } from './time.js'

/** A status without the types of its reblog and quote, so that reblogged and quoted statuses match it, too. */
export type Shown = Omit<Status, 'reblog' | 'quote'> & { reblog?: unknown; quote?: unknown }

/** Handle of an account with domain. `domain`: domain of local accounts. */
const withDomain = (acct: string, domain: string): string => (acct.includes('@') ? acct : `${acct}@${domain}`)

/** Link to an account, with avatar, display name and handle. `domain`: domain that is added to handles of local accounts. */
export const accountLink = (account: Account, domain: string): Html =>
  html`<a class="who" href="${account.url}"><img class="avatar" src="${account.avatar_static}" alt="" width="46" height="46" loading="lazy"><span><b>${plainText(nameOf(account), account.emojis)}</b><span class="muted">@${withDomain(account.acct, domain)}</span></span></a>`

export const pollResults = (poll: Poll): Html => {
  const total = Math.max(1, poll.voters_count ?? poll.votes_count)
  const options = poll.options.map(
    ({ title, votes_count }) =>
      html`<li>${plainText(title, poll.emojis)}${
        votes_count === null
          ? ''
          : html` <span class="muted">${Math.round((votes_count / total) * 100)} %</span><progress max="${total}" value="${votes_count}" aria-label="${title}"></progress>`
      }</li>`,
  )
  const votes = poll.voters_count ?? poll.votes_count
  const line = dotted(
    votes > 0 && t('{count, plural, one {# vote} other {# votes}}', { count: votes }),
    poll.expired ? t('closed') : poll.expires_at !== null && t('until {date}', { date: timeOf(poll.expires_at) }),
  )
  return html`<ul class="poll">${options}</ul><p class="muted small">${line}</p>`
}

const cardOf = (card: PreviewCard): Html | '' => {
  const url = webUrl(card.url)
  const image = webUrl(card.image)
  return url === null
    ? ''
    : html`<a class="link" href="${url}" rel="nofollow noopener">${image ? html`<img src="${image}" alt="${card.image_description}" loading="lazy">` : ''}<span><b>${card.title || card.provider_name || url}</b><span class="muted small">${card.provider_name || new URL(url).hostname}</span></span></a>`
}

/**
 * State of the quote in a status, and the quoted status. Null if the status quotes none, or if the API leaves the
 * quoted status out.
 */
const quotedIn = ({ quote }: Shown): { state: string; status: Shown } | null => {
  const { state = '', quoted_status: status } = (quote ?? {}) as { state?: string; quoted_status?: Shown | null }
  return status ? { state, status } : null
}

/** HTML of the content of a status. If the page shows the quoted status below, the line that links to it is left out. */
const shownContent = (status: Shown): string => (quotedIn(status) ? withoutQuoteLine(status.content) : status.content)

/**
 * Text of a status in titles and in lists without quoted statuses: its content warning, else its content without the line that links
 * to the quoted status.
 */
export const shownText = ({ spoiler_text, content }: Pick<Shown, 'spoiler_text' | 'content'>): string =>
  spoiler_text || htmlToPlainText(withoutQuoteLine(content))

type Filtered = Pick<Status, 'filtered'>

/** Titles of the viewer's filters that match the status and have this action. */
export const filtersOf = ({ filtered = [] }: Filtered, action: 'warn' | 'blur'): string[] =>
  filtered.filter(({ filter }) => filter.filter_action === action).map(({ filter }) => filter.title)

/** Whether a filter hides the status: a filter with the action `hide`, or with an action that only a newer release knows. */
export const hides = ({ filtered = [] }: Filtered): boolean =>
  filtered.some(({ filter }) => filter.filter_action !== 'warn' && filter.filter_action !== 'blur')

export const filteredText = (titles: readonly string[]): string =>
  t('Filtered: {titles}', { titles: titles.join(', ') })

/** Text above a quoted status that is collapsed, with the reason; null if the viewer sees it at once. */
const reasonOf = (state: string, status: Shown, domain: string): string | null => {
  const account = withDomain(status.account.acct, domain)
  if (state === 'blocked_account') return t('Hidden because you have blocked {account}', { account: `@${account}` })
  if (state === 'muted_account') return t('Hidden because you have muted {account}', { account: `@${account}` })
  if (state === 'blocked_domain')
    return t('Hidden because you have blocked {domain}', { domain: account.slice(account.indexOf('@') + 1) })
  // A newer release may have states that are unknown here. The quoted status is collapsed in these states.
  if (state !== 'accepted') return t('Hidden post')
  const titles = filtersOf(status, 'warn')
  return titles.length > 0 ? filteredText(titles) : null
}

/**
 * The quoted status as an HTML block; empty if the status quotes none. It is collapsed if the viewer blocks or mutes its
 * author or a filter warns of it, and left out if a filter hides it.
 */
export const quoted = (shown: Shown, domain: string, look: Look = {}): Html | '' => {
  const found = quotedIn(shown)
  if (found === null) return ''
  const { state, status } = found
  if (hides(status)) return html`<p class="quoted muted small">${t('Hidden because of one of your filters')}</p>`
  const card = html`${accountLink(status.account, domain)}${bodyOf(status, look)}<p class="small"><a href="${status.url ?? status.uri}">${t('The quoted post')}</a></p>`
  const reason = reasonOf(state, status, domain)
  return html`<blockquote class="quoted">${reason === null ? card : html`<details><summary>${reason}</summary>${card}</details>`}</blockquote>`
}

/** Preferences of the viewer about how statuses are displayed. */
export interface Look {
  /** HTML that is shown in place of the results of the poll. */
  readonly poll?: Html | ''
  /** True if content warnings are expanded. */
  readonly opensWarnings?: boolean
  readonly media?: 'default' | 'show_all' | 'hide_all'
}

/**
 * Text, media, poll and preview card of a status; collapsed below its content warning, if it has one. Media that a filter
 * blurs are collapsed, too.
 */
export const bodyOf = (
  status: Shown,
  { poll = status.poll ? pollResults(status.poll) : '', opensWarnings = false, media: wanted = 'default' }: Look = {},
): Html => {
  const content = html`<div class="content"${status.language ? html` lang="${status.language}"` : ''}>${richText(shownContent(status), status.emojis)}</div>`
  const grid = mediaGrid(status.media_attachments)
  const isBlurred = filtersOf(status, 'blur').length > 0
  const isHidden =
    isBlurred || wanted === 'hide_all' || (wanted === 'default' && status.sensitive && !status.spoiler_text)
  const title = status.sensitive || isBlurred ? html`${t('Sensitive media')}` : html`${t('Media')}`
  const media = grid && isHidden ? html`<details><summary>${title}</summary>${grid}</details>` : grid
  const rest = html`${poll}${status.card && status.media_attachments.length === 0 ? cardOf(status.card) : ''}`
  if (!status.spoiler_text) return html`${content}${media}${rest}`
  return html`<details${opensWarnings ? html` open` : ''}><summary>${plainText(status.spoiler_text, status.emojis)}</summary>${content}${media}${rest}</details>`
}

/** Counts of a status that are above zero, and the time of its last edit; empty without either. */
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

/**
 * "In reply to" with the parent's author; null if the status is not a reply. `page`: page with the thread, null for no
 * link.
 */
const replyLine = (status: Shown, domain: string, page: string | null): Html | null => {
  const { in_reply_to_account_id: id, account, mentions } = status
  if (id === null) return null
  const acct = id === account.id ? account.acct : mentions.find((one) => one.id === id)?.acct
  const name = acct === undefined ? '' : html` <bdi>@${withDomain(acct, domain)}</bdi>`
  const words = acct === undefined ? html`${t('A reply')}` : html`${t('In reply to')}${name}`
  return page === null ? words : html`<a href="${page}">${words}</a>`
}

/**
 * A status as an article. `main`: the status of a status page. `above`: text above the status. `previous`: id of the
 * status directly above; a reply to that status does not name its parent.
 */
export const statusArticle = (
  status: Status,
  {
    domain,
    main = false,
    previous = null,
    above,
  }: { domain: string; main?: boolean; previous?: string | null; above?: string },
): Html => {
  const shown: Shown = status.reblog ?? status
  const note =
    above ??
    (status.reblog
      ? html`${t('{account} boosted', { account: plainText(nameOf(status.account), status.account.emojis) })}`
      : null)
  const isBelowParent = previous !== null && shown.in_reply_to_id === previous
  const reply = isBelowParent ? null : replyLine(shown, domain, main ? null : webUrl(shown.url))
  return html`<article class="card status${main ? ' main' : ''}">
${note ? html`<p class="above">${note}</p>` : ''}${reply ? html`<p class="above">${reply}</p>` : ''}<div class="top">${accountLink(shown.account, domain)}<a href="${shown.url ?? shown.uri}">${timeOf(shown.created_at)}</a></div>
${bodyOf(shown)}${quoted(shown, domain)}${reactionList(shown)}${countsOf(shown)}
</article>`
}
