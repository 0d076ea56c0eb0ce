/** A post on the pages below `/home`: its content, and the actions of the signed-in account. */
import type { FilterContext, Status, Visibility } from '@murmuration/contracts/entities'
import { type Message, msg } from '@murmuration/messages'
import { escapeHtml, webUrl } from '@murmuration/text'
import { type Html, html, trusted } from '../core/html.js'
import { t } from '../core/language.js'
import { reactionList } from '../core/parts/reactions.js'
import { bodyOf, filteredText, filtersOf, hides, type Look, quoted, type Shown } from '../core/parts/status.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { nameOf, plainText } from '../core/rich-text.js'
import { type IconName, icon } from './icon.js'
import { pollForm } from './poll.js'

/** Values that all articles of a page share. */
export interface ArticleFrame {
  /** Account id of the viewer. */
  readonly viewerId: string
  readonly domain: string
  /** The hidden CSRF field for the forms of the actions. */
  readonly csrfField: Html
  /** Path to which an action on the post returns. */
  readonly back: string
  /** Time of the request in milliseconds since 1970. */
  readonly now: number
  /** The viewer's preferences for content warnings and media. */
  readonly look: Pick<Look, 'opensWarnings' | 'media'>
  /** Context of the filters that apply on the page; null on pages without filters. */
  readonly filterContext: FilterContext | null
}

interface ArticlePosition {
  /** True for the post that the page is about. False for other posts of its thread. */
  readonly main?: boolean
  /** Id of the post directly above. A reply to that post does not name its parent. */
  readonly previous?: string | undefined
}

const VISIBILITY: Readonly<Record<Visibility, readonly [IconName, Message] | null>> = {
  public: null,
  unlisted: ['unlisted', msg('Quiet public')],
  private: ['lock', msg('Followers only')],
  direct: ['mentioned', msg('Mentioned people only')],
}

export const statusPath = (id: string): string => `/home/statuses/${id}`
export const accountPath = (id: string): string => `/home/accounts/${id}`
export const tagPath = (name: string): string => `/home/tags/${encodeURIComponent(name)}`

/** Head of a post: author, time and visibility. */
const topOf = (shown: Shown, { now }: ArticleFrame): Html => {
  const { account } = shown
  const visibility = shown.visibility in VISIBILITY ? VISIBILITY[shown.visibility] : VISIBILITY.direct
  return html`<div class="top"><a class="who" href="${accountPath(account.id)}"><img class="avatar" src="${account.avatar_static}" alt="" width="46" height="46" loading="lazy"><span><b>${plainText(nameOf(account), account.emojis)}</b><span class="muted">@${account.acct}</span></span></a><a class="when" href="${statusPath(shown.id)}">${
    visibility ? html`${icon(visibility[0])}<span class="visually-hidden">${t(visibility[1])}, </span>` : ''
  }${agoOf(shown.created_at, now)}</a></div>`
}

const aboveOf = (status: Status, shown: Shown, { previous, main }: ArticlePosition): Html => {
  const boost = status.reblog
    ? html`<p class="above">${icon('boost')}${t('{account} boosted', { account: plainText(nameOf(status.account), status.account.emojis) })}</p>`
    : ''
  const { in_reply_to_account_id: parentAuthor, in_reply_to_id: parent, account, mentions } = shown
  if (parentAuthor === null || (previous !== undefined && parent === previous)) return html`${boost}`
  const acct = parentAuthor === account.id ? account.acct : mentions.find((one) => one.id === parentAuthor)?.acct
  const words =
    acct === undefined
      ? html`${t('A reply')}`
      : html`${t('In reply to {handle}', { handle: html`<bdi>@${acct}</bdi>` })}`
  // The text is no link if the parent was deleted, or if the page of the reply does not show the parent above the
  // reply. Then the parent has no page.
  return html`${boost}<p class="above">${icon('reply')}${parent === null || main ? words : html`<a href="${statusPath(parent)}">${words}</a>`}</p>`
}

const count = (n: number): Html | '' => (n > 0 ? html`<span class="n">${numberOf(n)}</span>` : '')

const toggle = (
  name: 'reblog' | 'favourite' | 'bookmark',
  look: { icon: IconName; label: string; on: boolean; n?: number },
): Html =>
  html`<button class="act ${name}" type="submit" name="do" value="${look.on ? `un${name}` : name}" aria-pressed="${look.on ? 'true' : 'false'}" title="${look.label}">${icon(look.icon)}<span class="visually-hidden">${look.label}</span>${count(look.n ?? 0)}</button>`

const mayBoost = (shown: Shown, viewerId: string): boolean =>
  shown.visibility === 'public' ||
  shown.visibility === 'unlisted' ||
  (shown.visibility === 'private' && shown.account.id === viewerId)

const mayQuote = ({ quote_approval: { current_user: may } }: Shown): boolean => may === 'automatic' || may === 'manual'

const moreOf = (shown: Shown, viewerId: string): Html | '' => {
  const original = webUrl(shown.url)
  const isRemote = shown.account.acct.includes('@')
  const isOwn = shown.account.id === viewerId
  const items = [
    mayQuote(shown) && html`<a href="/home/compose?quote=${shown.id}">${icon('quote')}${t('Quote')}</a>`,
    isRemote &&
      original !== null &&
      html`<a href="${original}" rel="nofollow noopener">${t('Open on the original server')}</a>`,
    isOwn && html`<button class="plain bad" type="submit" name="do" value="delete">${t('Delete this post')}</button>`,
  ].filter((item) => item !== false)
  return items.length === 0
    ? ''
    : html`<details class="more"><summary title="${t('More')}">${icon('more')}<span class="visually-hidden">${t('More')}</span></summary><div>${items}</div></details>`
}

const actionsOf = (status: Status, shown: Shown, { viewerId, csrfField, back }: ArticleFrame): Html =>
  html`<form class="actions" method="post" action="${statusPath(shown.id)}" aria-label="${t('Actions for the post by {account}', { account: nameOf(shown.account) })}">${csrfField}<input type="hidden" name="back" value="${back}"><input type="hidden" name="at" value="${status.id}"><a class="act" href="${statusPath(shown.id)}#reply" title="${t('Reply')}">${icon('reply')}<span class="visually-hidden">${t('Reply')}</span>${count(shown.replies_count)}</a>${
    mayBoost(shown, viewerId)
      ? toggle('reblog', { icon: 'boost', label: t('Boost'), on: shown.reblogged === true, n: shown.reblogs_count })
      : ''
  }${toggle('favourite', { icon: 'favourite', label: t('Favourite'), on: shown.favourited === true, n: shown.favourites_count })}${toggle(
    'bookmark',
    { icon: 'bookmark', label: t('Bookmark'), on: shown.bookmarked === true },
  )}${moreOf(shown, viewerId)}</form>`

/**
 * A post with those of its filters only that apply on this page. The API returns the filters of all contexts, also for
 * posts of the viewer.
 */
const onlyApplying = <T extends Shown>(status: T, { viewerId, filterContext }: ArticleFrame): T => ({
  ...status,
  filtered:
    filterContext === null || status.account.id === viewerId
      ? []
      : (status.filtered ?? []).filter(({ filter }) => filter.context.includes(filterContext)),
})

const quoteWithFilters = (quote: Status['quote'], frame: ArticleFrame): Status['quote'] =>
  quote?.quoted_status ? { ...quote, quoted_status: onlyApplying(quote.quoted_status, frame) } : quote

/**
 * A boost with those of its filters only that name the boost itself. The API repeats the filters of the boosted post,
 * which also match posts of the viewer.
 */
const onlyOfBoost = (status: Status): Status => ({
  ...status,
  filtered: (status.filtered ?? []).filter(({ status_matches: ids }) => ids?.includes(status.id)),
})

/** A post, its boosted and its quoted post with those filters only that apply on this page. */
const withFilters = (status: Status, frame: ArticleFrame): Status => {
  const { reblog, quote } = status
  return {
    ...onlyApplying(reblog ? onlyOfBoost(status) : status, frame),
    reblog: reblog && { ...onlyApplying(reblog, frame), quote: quoteWithFilters(reblog.quote, frame) },
    quote: quoteWithFilters(quote, frame),
  }
}

/** Whether a filter that applies on this page hides a post. */
export const isHidden = (status: Status, frame: ArticleFrame): boolean => {
  const { reblog, ...post } = withFilters(status, frame)
  return hides(post) || (reblog !== null && hides(reblog))
}

/** Titles of the filters that warn of a post on this page. */
export const warningsOf = (status: Status, frame: ArticleFrame): string[] => {
  const { reblog, ...post } = withFilters(status, frame)
  return [...new Set([post, ...(reblog ? [reblog] : [])].flatMap((one) => filtersOf(one, 'warn')))]
}

type Link = readonly [url: string, path: string]

const linksOf = ({ mentions, tags }: Pick<Shown, 'mentions' | 'tags'>): Link[] => [
  ...mentions.map(({ url, id }): Link => [url, accountPath(id)]),
  ...tags.map(({ url, name }): Link => [url, tagPath(name)]),
]

/** Replaces links to accounts, hashtags and the quoted post by links to the pages below `/home`. */
const withLocalLinks = ({ text }: Html, shown: Shown): Html => {
  const quotes = (shown.quote as Status['quote'])?.quoted_status
  const links: Link[] = [
    ...(quotes ? [[quotes.url ?? quotes.uri, statusPath(quotes.id)] as const] : []),
    ...(quotes ? [[quotes.account.url, accountPath(quotes.account.id)] as const, ...linksOf(quotes)] : []),
    ...linksOf(shown),
  ]
  return trusted(
    links.reduce((all, [url, path]) => all.replaceAll(`href="${escapeHtml(url)}"`, `href="${escapeHtml(path)}"`), text),
  )
}

/** Renders one post with its actions. */
export const article = (given: Status, frame: ArticleFrame, position: ArticlePosition = {}): Html => {
  const status = withFilters(given, frame)
  const shown: Shown = status.reblog ?? status
  const titles = warningsOf(status, frame)
  const poll = shown.poll ? pollForm(shown.poll, { ...frame, at: status.id }) : ''
  const content = withLocalLinks(
    html`${bodyOf(shown, { ...frame.look, poll })}${quoted(shown, frame.domain, frame.look)}`,
    shown,
  )
  return html`<article class="card status post${position.main ? ' main' : ''}" id="s-${status.id}" data-id="${status.id}">${aboveOf(status, shown, position)}${topOf(shown, frame)}${
    titles.length > 0 ? html`<details><summary>${filteredText(titles)}</summary>${content}</details>` : content
  }${reactionList(shown)}${shown.edited_at ? html`<p class="muted small edited">${t('edited {date}', { date: agoOf(shown.edited_at, frame.now) })}</p>` : ''}${actionsOf(status, shown, frame)}</article>`
}

/** The posts of a list without those that a filter hides on this page. */
export const withoutHidden = (statuses: readonly Status[], frame: ArticleFrame): Status[] =>
  statuses.filter((status) => !isHidden(status, frame))

/** Renders the posts of a list that no filter hides. `above`: id of the post above the list. */
export const articles = (statuses: readonly Status[], frame: ArticleFrame, above?: string): Html[] =>
  withoutHidden(statuses, frame).map((status, i, all) => {
    const before = all[i - 1]
    return article(status, frame, { previous: before ? (before.reblog ?? before).id : above })
  })
