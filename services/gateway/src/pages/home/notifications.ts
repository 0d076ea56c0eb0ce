/** Page with grouped notifications below `/home`, and the form that marks them as read. */
import {
  type Account,
  isNotificationType,
  type NotificationGroup,
  type NotificationType,
  type Status,
} from '@murmuration/contracts/entities'
import { listGroups, setMarkers } from '@murmuration/contracts/notifications'
import { type Message, msg } from '@murmuration/messages'
import { excerpt } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { emojiList } from '../core/parts/reactions.js'
import { filteredText, shownText } from '../core/parts/status.js'
import { agoOf } from '../core/parts/time.js'
import { nameOf, plainText } from '../core/rich-text.js'
import { type ArticleFrame, accountPath, article, isHidden, statusPath, warningsOf } from './article.js'
import type { Home, HomeRequest } from './frame.js'
import { ENOUGH, frameOf, pageIn } from './timeline.js'

const HERE = '/home/notifications'

interface Look {
  /**
   * Text of a notification group. `{account}` stands for the newest account and the number of other accounts. `{count}` is
   * the number of all accounts, for the verbs of other languages. Texts of types without groups lack it.
   */
  readonly text: Message
  /** True to show the whole post with its actions, so that the viewer can reply. */
  readonly isFull: boolean
}

const LOOKS: Readonly<Record<NotificationType, Look>> = {
  mention: { text: msg('{account} mentioned you'), isFull: true },
  status: { text: msg('{account} posted'), isFull: true },
  reblog: { text: msg('{account} {count, plural, other {boosted your post}}'), isFull: false },
  favourite: { text: msg('{account} {count, plural, other {favourited your post}}'), isFull: false },
  poll: { text: msg('A poll by {account} has ended'), isFull: false },
  update: { text: msg('{account} edited a post'), isFull: false },
  quote: { text: msg('{account} quoted your post'), isFull: true },
  quoted_update: { text: msg('{account} edited a post that you quoted'), isFull: false },
  follow: { text: msg('{account} {count, plural, other {followed you}}'), isFull: false },
  follow_request: { text: msg('{account} asks to follow you'), isFull: false },
  'admin.sign_up': { text: msg('{account} {count, plural, other {signed up}}'), isFull: false },
  'admin.report': { text: msg('{account} submitted a report'), isFull: false },
  added_to_collection: { text: msg('{account} added you to a collection'), isFull: false },
  collection_update: { text: msg('{account} changed a collection you are in'), isFull: false },
  severed_relationships: {
    text: msg('You have lost connections due to a moderation decision'),
    isFull: false,
  },
  moderation_warning: { text: msg('You have received a moderation warning'), isFull: false },
  annual_report: { text: msg('Your year in review is ready'), isFull: false },
}

const namesOf = (accounts: readonly Account[], count: number): Html => {
  const [first] = accounts
  if (first === undefined) return html`${t('Someone')}`
  const more = count > 1 ? ` ${t('and {count} more', { count: count - 1 })}` : ''
  return html`<a href="${accountPath(first.id)}"><b>${plainText(nameOf(first), first.emojis)}</b></a>${more}`
}

/** Text of a group of favourites that all are emoji reactions. */
const REACTED = msg('{account} {count, plural, other {reacted to your post}} with {emoji}')

/**
 * Text of a notification group. `accounts`: the newest accounts of the group. A favourite may be an emoji reaction. If
 * the group also has favourites without an emoji, or accounts that are not listed, the emoji follow the text.
 */
const sentence = (group: NotificationGroup, accounts: readonly Account[], status: Status | undefined): Html => {
  const { text } = LOOKS[group.type]
  const count = group.notifications_count
  const account = namesOf(accounts, count)
  const listed = group.type === 'favourite' ? (status?.emoji_reactions ?? []) : []
  const reactions = listed.filter(({ account_ids: ids }) => accounts.some(({ id }) => ids.includes(id)))
  if (reactions.length === 0) return t(text, { account, count })
  const emoji = emojiList(reactions)
  const reacted = new Set(reactions.flatMap((one) => one.account_ids))
  const isWhole = accounts.length === count && accounts.every(({ id }) => reacted.has(id))
  return isWhole ? t(REACTED, { account, count, emoji }) : html`${t(text, { account, count })} ${emoji}`
}

const summary = (status: Status, frame: ArticleFrame): Html => {
  const warnings = warningsOf(status, frame)
  return html`<p class="muted summary"><a href="${statusPath(status.id)}">${
    warnings.length > 0 ? filteredText(warnings) : excerpt(shownText(status), 200) || t('a post')
  }</a></p>`
}

interface Known {
  readonly accounts: ReadonlyMap<string, Account>
  readonly statuses: ReadonlyMap<string, Status>
}

/** A notification group as a list item; empty if a filter hides its post. */
const item = (group: NotificationGroup, { accounts, statuses }: Known, frame: ArticleFrame): Html | '' => {
  const samples = group.sample_account_ids.map((id) => accounts.get(id)).filter((one) => one !== undefined)
  const status = 'status_id' in group ? statuses.get(group.status_id) : undefined
  if (status && isHidden(status, frame)) return ''
  const isFull = status !== undefined && LOOKS[group.type].isFull
  return html`<li class="card notice" id="n-${group.page_max_id ?? ''}"><div class="above">${samples.map(
    (one) => html`<img class="avatar small" src="${one.avatar_static}" alt="" width="32" height="32" loading="lazy">`,
  )}<p>${sentence(group, samples, status)} ${
    group.latest_page_notification_at
      ? html`<span class="muted small">· ${agoOf(group.latest_page_notification_at, frame.now)}</span>`
      : ''
  }</p></div>${isFull ? article(status, frame) : status ? summary(status, frame) : ''}${
    group.type === 'follow_request' && samples[0]
      ? html`<p><a class="button quiet small" href="${accountPath(samples[0].id)}">${t('Review the request')}</a></p>`
      : ''
  }</li>`
}

const show = async (request: HomeRequest): Promise<void> => {
  const { callApi, csrfField, req } = request
  const [{ items: found, older }, unread] = await Promise.all([
    callApi.page(listGroups, pageIn(request)),
    request.unread(),
  ])
  const known = {
    accounts: new Map(found.accounts.map((one) => [one.id, one])),
    statuses: new Map(found.statuses.map((one) => [one.id, one])),
  }
  // Groups of unknown types are left out. During a rolling update, a newer process may send types for which this process has no text.
  const groups = found.notification_groups.filter(({ type }) => isNotificationType(type))
  const newest = groups[0]?.page_max_id
  const frame = await frameOf(request, 'notifications')
  await request.show({
    title: t('Notifications'),
    current: 'notifications',
    body: html`${
      unread > 0 && newest !== undefined && req.query.max_id === undefined
        ? html`<form class="row" method="post" action="${HERE}">${csrfField}<input type="hidden" name="newest" value="${newest}"><button class="quiet small" type="submit">${t('Mark all as read')}</button></form>`
        : ''
    }<ol class="notices">${groups.map((group) => item(group, known, frame))}</ol>${
      groups.length === 0 ? html`<p class="card">${t('No notifications yet.')}</p>` : ''
    }${older !== null && found.notification_groups.length >= ENOUGH ? html`<p><a class="button quiet" rel="next" href="${HERE}?max_id=${older}">${t('Older notifications')}</a></p>` : ''}`,
  })
}

export const addNotifications = (home: Home): void => {
  home.add('get', HERE, show)
  home.add('post', HERE, async ({ callApi, done }, form) => {
    const newest = idOrNull(form.newest)
    if (newest !== null) await callApi(setMarkers, { notifications: { last_read_id: newest } })
    done(HERE)
  })
}
