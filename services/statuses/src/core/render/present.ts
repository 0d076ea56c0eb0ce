/** Joins loaded texts to Status JSON. Pure. Decides which part provides each member. */
import { type Members, splice } from '@murmuration/cards'
import type { Status } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import { cardName } from '../card/cards.js'
import { emojiReactions } from '../emoji-reaction/view.js'
import { pollText } from '../poll/view.js'
import { previewText } from '../preview-card/previews.js'
import { isShownState, quoteApproval } from '../quote/rules.js'
import { quoteSeen } from '../quote/seen.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { visibilityOf } from '../visibility/rules.js'
import type { State } from './state.js'

/**
 * Returns a value of the loaded data. Throws if the value is missing, because the visibility rules leave out statuses
 * with missing data.
 */
const certain = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
  const value = map.get(key)
  if (value === undefined) throw new Error(`${String(key)} is shown but was not loaded`)
  return value
}

const mediaText = (state: State, status: LoadedStatus): string =>
  `[${status.media_ids.flatMap((id) => state.media.get(id) ?? []).join(',')}]`

/** The app as JSON. Undefined if the author hides it from others. */
const applicationText = (state: State, status: LoadedStatus): string | undefined =>
  status.shows_application !== false || status.author_id === state.viewerId
    ? JSON.stringify(status.application)
    : undefined

/** An id as JSON; null if the status or account with the id was deleted. */
const idText = (id: string | null, isGone: boolean): string => (id === null || isGone ? 'null' : `"${id}"`)

/** Members of Status JSON that are the same for every viewer: parent, author, media, collections, counters. */
const sharedMembers = (state: State, status: LoadedStatus): Members => ({
  in_reply_to_id: idText(status.in_reply_to_id, status.parent_gone),
  in_reply_to_account_id: idText(status.in_reply_to_account_id, status.replied_to_gone),
  account: certain(state.accounts, status.author_id),
  media_attachments: mediaText(state, status),
  tagged_collections: `[${(state.collections.get(status.id) ?? []).join(',')}]`,
  replies_count: String(status.replies),
  reblogs_count: String(status.reblogs),
  favourites_count: String(status.favourites),
  quotes_count: String(status.quotes),
})

/** Members of Status JSON with the viewer state; of a boost, that of the original. */
const flagMembers = (state: State, status: LoadedStatus, original: LoadedStatus): Members => {
  if (state.viewerId === null) return {}
  const canPin = status.author_id === state.viewerId && status.reblog_of_id === null && status.visibility <= 2
  return {
    favourited: String(original.favourited),
    reblogged: String(original.reblogged),
    muted: String(original.muted),
    bookmarked: String(original.bookmarked),
    filtered: state.filtered?.get(status.id) ?? '[]',
    ...(canPin ? { pinned: String(status.pinned) } : {}),
  }
}

const memberPoll = (state: State, status: LoadedStatus): string => {
  const poll = status.poll_id === null ? undefined : state.polls.get(status.poll_id)
  return poll === undefined ? 'null' : pollText(poll, state.viewerId, state.now)
}

/** The preview card of a status, with the link as written in the status. */
const memberCard = (state: State, status: LoadedStatus): string => {
  const seen = status.preview_id === null ? undefined : state.previews.get(status.preview_id)
  return seen === undefined ? 'null' : previewText(seen, status.preview_url ?? seen.row.url, state.viewerId)
}

/** The quote of a status. `shallow`: inside a quoted status, where only the id of the next quoted status is shown. */
export const quoteText = (state: State, status: LoadedStatus, shallow: boolean): string => {
  const seen = quoteSeen(state, status)
  if (seen === null) return 'null'
  const shown = isShownState(seen.state) ? seen.quotedId : null
  if (shallow) return JSON.stringify({ state: seen.state, quoted_status_id: shown })
  return `{"state":"${seen.state}","quoted_status":${shown === null ? 'null' : statusText(state, shown, true)}}`
}

/** Emoji reactions as JSON. Undefined if none is visible to the viewer. */
const reactionsText = (state: State, id: string): string | undefined => {
  const listed = emojiReactions(state.reactions.get(id) ?? [], state.quoterId ?? state.viewerId, state.relationships)
  return listed.length > 0 ? JSON.stringify(listed) : undefined
}

/** Members of Status JSON that differ between viewers. */
export const personalMembers = (
  state: State,
  status: LoadedStatus,
  shallow = false,
): Record<string, string | undefined> => {
  const original = status.reblog_of_id === null ? status : certain(state.statuses, status.reblog_of_id)
  return {
    sensitive: String(status.sensitive || (status.sensitized === true && status.author_id !== state.viewerId)),
    application: applicationText(state, status),
    poll: memberPoll(state, status),
    card: memberCard(state, status),
    quote: quoteText(state, status, shallow),
    quote_approval: JSON.stringify(
      quoteApproval(
        state.quoterId ?? state.viewerId,
        {
          authorId: status.author_id,
          visibility: visibilityOf(status.visibility),
          isReblog: status.reblog_of_id !== null,
          quotePolicy: status.quote_policy,
        },
        state.relationships.get(status.author_id),
      ),
    ),
    emoji_reactions: reactionsText(state, status.id),
    reblog: status.reblog_of_id === null ? 'null' : statusText(state, status.reblog_of_id),
    ...flagMembers(state, status, original),
  }
}

/** Status JSON without the members that differ between viewers. */
export const sharedText = (state: State, status: LoadedStatus): Json<unknown> =>
  splice(certain(state.cards, cardName(status)), sharedMembers(state, status))

/** Status JSON of a status that the rules allow. `shallow`: the form inside a quoted status. */
export const statusText = (state: State, id: string, shallow = false): Json<Status> => {
  const status = certain(state.statuses, id)
  return splice<Status>(sharedText(state, status), personalMembers(state, status, shallow))
}
