/** Writes Note documents and their activities from sources of statuses and records of accounts. */

import { addressingFor } from '@murmuration/activitypub/vocabulary/audience'
import { publicCollection } from '@murmuration/activitypub/vocabulary/uri'
import { type OutgoingActivity, writeAnnounce, writeCreate } from '@murmuration/activitypub/vocabulary/write-activity'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { type NoteSource, writeNote } from '@murmuration/activitypub/vocabulary/write-note'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { NoteData } from '@murmuration/contracts/statuses'
import { emojiSources } from './emoji.view.js'

/** Accounts of a status by id: its author, its mentions, and the author of the reblogged status. */
export type AccountsById = ReadonlyMap<string, AccountRecord>

export interface NoteSite {
  readonly origin: string
  readonly localDomain: string
}

/** Ids of the accounts that the documents of these statuses need. */
export const accountIdsOf = (sources: readonly NoteData[]): string[] => [
  ...new Set(
    sources.flatMap((it) => [
      it.author,
      ...(it.reblog_of_author === null ? [] : [it.reblog_of_author]),
      ...it.mention_accounts.map(({ id }) => id),
    ]),
  ),
]

/**
 * URI of the collection of a conversation that began on this server. `root`: id of the first status of the
 * conversation.
 */
export const contextUri = ({ origin }: Pick<NoteSite, 'origin'>, root: string): string =>
  `${origin}/ap/contexts/${root}`

const isOpen = (visibility: NoteData['visibility']): boolean => visibility === 'public' || visibility === 'unlisted'

const handleOf = (account: AccountRecord, { localDomain }: NoteSite): string =>
  `${account.username}@${account.domain ?? localDomain}`

const attachment = (it: NoteData['attachments'][number]): NoteSource['attachments'][number] => ({
  url: it.url,
  mediaType: it.media_type,
  description: it.description,
  blurhash: it.blurhash,
  focus: it.focus === null ? null : { x: it.focus[0], y: it.focus[1] },
  width: it.width,
  height: it.height,
})

/** URIs of the actors and collections that may quote without approval. The URI of the author alone permits no other actor. */
const mayQuote = (it: NoteData, author: string): readonly string[] => {
  const { followers, following } = actorAddresses(author)
  const named = { public: publicCollection, followers, following, unsupported_policy: author }
  return it.may_quote.length ? it.may_quote.map((group) => named[group]) : [author]
}

/** Source of a Note document; null when its author is not among the accounts. */
export const noteSource = (it: NoteData, accounts: AccountsById, site: NoteSite): NoteSource | null => {
  const author = accounts.get(it.author)
  if (author === undefined) return null
  // A held reply is addressed with its final visibility, even while the activity is sent to one account only.
  const visibility = it.held?.visibility ?? it.visibility
  const mentions = it.mention_accounts.flatMap(({ id, silent }) => {
    const account = accounts.get(id)
    if (account === undefined) return []
    // A public or unlisted status that mentions a group is also addressed to the followers of the group.
    const members = account.group && isOpen(visibility) ? account.followers_url : null
    return [{ uri: account.uri, handle: handleOf(account, site), silent, members }]
  })
  const followers = actorAddresses(author.uri).followers
  return {
    uri: it.uri,
    url: it.url ?? it.uri,
    authorUri: author.uri,
    html: it.html,
    language: it.language,
    warning: it.spoiler_text || null,
    // The status is also sensitive if staff marked all media of its author as sensitive.
    sensitive: it.sensitive || author.sensitized,
    publishedAt: it.created_at,
    editedAt: it.edited_at,
    inReplyTo: it.in_reply_to_uri,
    conversation: it.conversation_uri ?? (it.conversation_here ? contextUri(site, it.conversation) : null),
    ...addressingFor(visibility, {
      followers,
      mentioned: mentions.flatMap(({ uri, members }) => (members === null ? [uri] : [uri, members])),
    }),
    mentions: mentions.filter(({ silent }) => !silent).map(({ uri, handle }) => ({ uri, handle })),
    hashtags: it.tags.map((name) => ({ name, url: `${site.origin}/tags/${encodeURIComponent(name)}` })),
    emojis: emojiSources(it.emojis, site.origin),
    attachments: it.attachments.map(attachment),
    link: it.link ?? null,
    poll:
      it.poll === null
        ? null
        : {
            multiple: it.poll.multiple,
            options: it.poll.options,
            voters: it.poll.voters,
            endsAt: it.poll.expires_at,
            over: it.poll.closed,
            hidden: it.poll.hidden,
          },
    quote: it.quote && { uri: it.quote.uri, authorization: it.quote.stamp },
    mayQuote: mayQuote(it, author.uri),
    approvedBy: it.approved_by ?? null,
    counts: { likes: it.favourites_count, shares: it.reblogs_count },
    ownReplies: it.own_replies ?? [],
    moreReplies: it.own_replies_more ?? true,
  }
}

/** True for a reblog of the author's own followers-only status, which other servers cannot fetch. */
export const showsOwn = (boost: Pick<NoteData, 'author' | 'reblog_of_author' | 'visibility'>): boolean =>
  boost.reblog_of_author === boost.author && boost.visibility === 'private'

const announce = (
  it: NoteData,
  accounts: AccountsById,
  site: NoteSite,
  boosts: NoteData | undefined,
): OutgoingActivity | null => {
  const author = accounts.get(it.author)
  const boosted = it.reblog_of_author === null ? undefined : accounts.get(it.reblog_of_author)
  if (author === undefined || it.reblog_of_uri === null) return null
  const followers = actorAddresses(author.uri).followers
  const own = boosts && showsOwn(it) && boosts.visibility === 'private' && !boosts.deleted
  return writeAnnounce({
    // `writeAnnounce` appends the suffix `/activity` to the URI, so the suffix is removed here.
    uri: it.uri.replace(/\/activity$/, ''),
    actor: author.uri,
    object: (own ? noteSource(boosts, accounts, site) : null) ?? it.reblog_of_uri,
    publishedAt: it.created_at,
    ...addressingFor(it.visibility, { followers, mentioned: boosted ? [boosted.uri] : [] }),
  })
}

/** The Note; null for a reblog, or when its author is unknown. */
export const noteDocument = (it: NoteData, accounts: AccountsById, site: NoteSite) => {
  const source = it.reblog_of === null ? noteSource(it, accounts, site) : null
  return source && writeNote(source)
}

/**
 * The Create of a status or the Announce of a reblog. `boosts`: the reblogged status, which is embedded only if it is a
 * followers-only status of the same author.
 */
export const activityDocument = (
  it: NoteData,
  accounts: AccountsById,
  site: NoteSite,
  boosts?: NoteData,
): OutgoingActivity | null => {
  if (it.reblog_of !== null) return announce(it, accounts, site, boosts)
  const source = noteSource(it, accounts, site)
  return source && writeCreate(source)
}
