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
import type { Fact } from '../viewer/fact.store.js'
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

const mediaText = (state: State, fact: Fact): string =>
  `[${fact.media_ids.flatMap((id) => state.media.get(id) ?? []).join(',')}]`

/** The app as JSON. Undefined if the author hides it from others. */
const applicationText = (state: State, fact: Fact): string | undefined =>
  fact.shows_application !== false || fact.author_id === state.viewerId ? JSON.stringify(fact.application) : undefined

/** Members of Status JSON that are the same for every viewer: parent, author, media, collections, counters. */
const sharedMembers = (state: State, fact: Fact): Members => ({
  in_reply_to_id: fact.in_reply_to_id === null || fact.parent_gone ? 'null' : `"${fact.in_reply_to_id}"`,
  account: certain(state.accounts, fact.author_id),
  media_attachments: mediaText(state, fact),
  tagged_collections: `[${(state.collections.get(fact.id) ?? []).join(',')}]`,
  replies_count: String(fact.replies),
  reblogs_count: String(fact.reblogs),
  favourites_count: String(fact.favourites),
  quotes_count: String(fact.quotes),
})

/** Members of Status JSON with the viewer state; of a boost, that of the original. */
const flagMembers = (state: State, fact: Fact, original: Fact): Members => {
  if (state.viewerId === null) return {}
  const canPin = fact.author_id === state.viewerId && fact.reblog_of_id === null && fact.visibility <= 2
  return {
    favourited: String(original.favourited),
    reblogged: String(original.reblogged),
    muted: String(original.muted),
    bookmarked: String(original.bookmarked),
    filtered: state.filtered?.get(fact.id) ?? '[]',
    ...(canPin ? { pinned: String(fact.pinned) } : {}),
  }
}

const memberPoll = (state: State, fact: Fact): string => {
  const poll = fact.poll_id === null ? undefined : state.polls.get(fact.poll_id)
  return poll === undefined ? 'null' : pollText(poll, state.viewerId, state.now)
}

/** The preview card of a status, with the link as written in the status. */
const memberCard = (state: State, fact: Fact): string => {
  const seen = fact.preview_id === null ? undefined : state.previews.get(fact.preview_id)
  return seen === undefined ? 'null' : previewText(seen, fact.preview_url ?? seen.row.url, state.viewerId)
}

/** The quote of a status. `shallow`: inside a quoted status, where only the id of the next quoted status is shown. */
export const quoteText = (state: State, fact: Fact, shallow: boolean): string => {
  const seen = quoteSeen(state, fact)
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
export const personalMembers = (state: State, fact: Fact, shallow = false): Record<string, string | undefined> => {
  const original = fact.reblog_of_id === null ? fact : certain(state.facts, fact.reblog_of_id)
  return {
    sensitive: String(fact.sensitive || (fact.sensitized === true && fact.author_id !== state.viewerId)),
    application: applicationText(state, fact),
    poll: memberPoll(state, fact),
    card: memberCard(state, fact),
    quote: quoteText(state, fact, shallow),
    quote_approval: JSON.stringify(
      quoteApproval(
        state.quoterId ?? state.viewerId,
        {
          authorId: fact.author_id,
          visibility: visibilityOf(fact.visibility),
          isReblog: fact.reblog_of_id !== null,
          quotePolicy: fact.quote_policy,
        },
        state.relationships.get(fact.author_id),
      ),
    ),
    emoji_reactions: reactionsText(state, fact.id),
    reblog: fact.reblog_of_id === null ? 'null' : statusText(state, fact.reblog_of_id),
    ...flagMembers(state, fact, original),
  }
}

/** Status JSON without the members that differ between viewers. */
export const sharedText = (state: State, fact: Fact): Json<unknown> =>
  splice(certain(state.cards, cardName(fact)), sharedMembers(state, fact))

/** Status JSON of a status that the rules allow. `shallow`: the form inside a quoted status. */
export const statusText = (state: State, id: string, shallow = false): Json<Status> => {
  const fact = certain(state.facts, id)
  return splice<Status>(sharedText(state, fact), personalMembers(state, fact, shallow))
}
