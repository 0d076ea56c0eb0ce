/** Converts a remote status to the form that statuses stores: clean HTML, bounded, with its visibility. */

import type { Addressing } from '@murmuration/activitypub/vocabulary/addresses'
import { type Audience, audienceOf } from '@murmuration/activitypub/vocabulary/audience'
import type {
  IncomingAttachment,
  IncomingNote,
  IncomingPolicy,
  IncomingPoll,
} from '@murmuration/activitypub/vocabulary/note'
import { lineText } from '@murmuration/activitypub/vocabulary/text-or-html'
import { hostOf, publicCollection, readDomain, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { FetchedNote } from '@murmuration/contracts/federation'
import { htmlToPlainText, normaliseTag, readTime, sanitiseRemoteHtml, supportedLanguage } from '@murmuration/text'
import { isOurs, type OwnHosts } from '../activity/authority.rules.js'
import { withoutNeedlessParts } from '../address/own-address.rules.js'
import type { Self } from '../address/self.js'
import { policyGroups } from './approval-group.rules.js'
import { oneLineText } from './plain-name.rules.js'

/**
 * Maximum number of mentions per status, and of silent mentions. Further mentions are ignored, because so many are
 * abuse.
 */
export const maxMentions = 100

const attachment = (it: IncomingAttachment): FetchedNote['attachments'][number] => ({
  url: it.url,
  media_type: it.mediaType ?? 'application/octet-stream',
  description: it.description,
  blurhash: it.blurhash,
  width: it.width,
  height: it.height,
  focus: it.focus === null ? null : [it.focus.x, it.focus.y],
})

const option = ({ title: name, markup, votes }: IncomingPoll['options'][number]) => {
  // If the cleaned name of a poll option is empty, the original name stays, because a vote names its option.
  const title = oneLineText(markup ? htmlToPlainText(name) : lineText(name)) || oneLineText(name)
  return title === name ? { title, votes } : { title, votes, name }
}

/** End of a poll. A poll that is closed without a closing time ends now, unless its stated end is already over. */
const endOf = ({ closed, endsAt }: IncomingPoll, now: number): string | null =>
  closed && (endsAt === null || readTime(endsAt) > now) ? new Date(now).toISOString() : endsAt

const poll = (it: IncomingPoll, now: number): NonNullable<FetchedNote['poll']> => ({
  multiple: it.multiple,
  options: it.options.map(option),
  expires_at: endOf(it, now),
  voters: it.voters,
  ...(it.closed && { closed: true }),
})

const tags = (note: IncomingNote): FetchedNote['tags'] => [
  ...new Map(
    note.hashtags
      .map((display) => ({ name: normaliseTag(display), display }))
      .filter((it) => it.name !== '')
      .map((it) => [it.name, it] as const),
  ).values(),
]

/** The supported code for a language code. An unknown code is kept, because clients may know it. */
const language = (code: string | null): string | null => (code === null ? null : (supportedLanguage(code) ?? code))

/** Visibility and silent mentions of a status. `limited` becomes `direct` with silent mentions, which send no notification. */
export const audienceFor = (
  addressing: Addressing,
  mentioned: ReadonlySet<string>,
  known: { followers: Uri | null; ownHosts: OwnHosts },
): { visibility: FetchedNote['visibility']; silent: Audience['silent'] } => {
  const { visibility, silent } = audienceOf(addressing, {
    followers: known.followers,
    isLocalAccount: (uri) => isOurs(uri, known.ownHosts),
    mentioned,
  })
  return { visibility: visibility === 'limited' ? 'direct' : visibility, silent }
}

/**
 * Groups that may quote the status without approval, and groups that may quote it with approval; two empty lists if
 * there is no policy.
 */
const quotePolicy = (
  policy: IncomingPolicy | null,
  { author, ...known }: { author: Uri; followers: Uri | null; following: Uri | null },
): FetchedNote['quote_policy'] =>
  policy === null ? { automatic: [], manual: [] } : policyGroups(policy, { ...known, owner: author })

/** Reply policy of a status: group names and other URIs, without and with approval. Returns null if every account may reply. */
const replyPolicy = (
  policy: IncomingPolicy | null,
  known: { followers: Uri | null; following: Uri | null },
): FetchedNote['reply_policy'] => {
  const nameOf = (uri: Uri): string => {
    if (uri === publicCollection) return 'public'
    if (uri === known.followers) return 'followers'
    return uri === known.following ? 'following' : uri
  }
  const automatic = [...new Set((policy?.automatic ?? []).map(nameOf))]
  const manual = [...new Set((policy?.manual ?? []).map(nameOf))]
  // A policy without URIs counts as none. If the public may reply without approval, groups in `manual` have no effect, but
  // single actors in `manual` have.
  const isOpen = automatic.includes('public') && !manual.some((name) => name.includes(':'))
  return isOpen || automatic.length + manual.length === 0 ? null : { automatic, manual }
}

/** Name and domain of `@name@domain` in lower case; null for other texts. */
const readHandle = (name: string | null): { user: string; domain: string } | null => {
  const [user = '', host] = (name ?? '').replace(/^@/, '').toLowerCase().split('@')
  const domain = readDomain(host)
  return domain === null || user === '' ? null : { user, domain }
}

/**
 * Handle of a mention. It is needed because some servers link to the profile page instead of the actor.
 *
 * Returns an object without `handle` unless the domain of the handle is the host of `href`.
 */
const spelled = (name: string | null, href: Uri): { handle?: string } => {
  const handle = readHandle(name)
  return handle !== null && handle.domain === hostOf(href) ? { handle: `${handle.user}@${handle.domain}` } : {}
}

/** The status with canonical addresses of local accounts, so that a mentioned account gets no second, silent mention. */
const withOwnSpellings = (note: IncomingNote, ownHosts: OwnHosts): IncomingNote => {
  const spelling = (uri: Uri): Uri => withoutNeedlessParts(uri, ownHosts)
  const { to, cc } = note.addressing
  return {
    ...note,
    addressing: { to: to.map(spelling), cc: cc.map(spelling) },
    mentions: note.mentions.map((it) => ({ ...it, href: it.href && spelling(it.href) })),
  }
}

const profilePath = /^\/(?:@|users\/)([A-Za-z0-9_]{1,30})(?:@([^/@]{1,255}))?\/?$/
const actorPath = /^\/ap\/users\/\d+$/

/** Names of this server, by which a status may mention local accounts. */
type OwnNames = Pick<Self, 'ownHosts' | 'ownDomains' | 'instanceActor'>

/** Name of the local account with this profile page; null for a page of another server's account; undefined for other addresses. */
const profileOf = (href: Uri, { ownHosts, ownDomains }: OwnNames): string | null | undefined => {
  const [, page, domain] = profilePath.exec(new URL(withoutNeedlessParts(href, ownHosts)).pathname) ?? []
  if (page === undefined) return undefined
  return domain === undefined || ownDomains.has(readDomain(domain) ?? '') ? page.toLowerCase() : null
}

/**
 * Name of the local account that a mention means if `href` is not its actor id: by its profile page, else by its
 * handle. Null if the mention means no local account.
 *
 * The handle also counts if `href` is on this server but belongs to no account.
 */
const localName = ({ href, name }: IncomingNote['mentions'][number], own: OwnNames): string | null => {
  const isActor = href !== null && actorPath.test(new URL(withoutNeedlessParts(href, own.ownHosts)).pathname)
  if (href !== null && (!isOurs(href, own.ownHosts) || isActor)) return null
  const page = href === null ? undefined : profileOf(href, own)
  if (page !== undefined) return page
  const handle = readHandle(name)
  return handle !== null && own.ownDomains.has(handle.domain) ? handle.user : null
}

/**
 * Mentions with an address, and mentions with a handle only. A local account that is not mentioned by its actor id gets
 * the address of its profile page.
 */
const mentionsIn = (
  { mentions }: IncomingNote,
  own: OwnNames,
): { uris: FetchedNote['mentionUris']; handles: readonly string[] } => {
  const { origin } = new URL(own.instanceActor)
  const given = mentions.slice(0, maxMentions).map(({ href, name }) => {
    const local = localName({ href, name }, own)
    if (local !== null) return { uri: `${origin}/@${local}`, silent: false }
    if (href !== null) return { uri: href as string, silent: false, ...spelled(name, href) }
    const handle = readHandle(name)
    return handle === null ? null : `${handle.user}@${handle.domain}`
  })
  return {
    uris: given.filter((it) => it !== null && typeof it !== 'string'),
    handles: [...new Set(given.filter((it) => typeof it === 'string'))],
  }
}

/** Converts a remote status to the form that the statuses service stores. */
export const remoteNote = (
  received: IncomingNote,
  { own, ...given }: { author: Uri; followers: Uri | null; following?: Uri | null; own: OwnNames; now: number },
): FetchedNote => {
  const known = { ...given, ownHosts: own.ownHosts }
  const note = withOwnSpellings(received, own.ownHosts)
  const mentionedIds = new Set(note.mentions.map((it) => it.href ?? ''))
  const { visibility, silent } = audienceFor(note.addressing, mentionedIds, known)
  const { to, cc } = note.addressing
  const mentioned = mentionsIn(note, own)
  return {
    uri: note.uri,
    url: note.url,
    authorUri: known.author,
    html: sanitiseRemoteHtml(note.html),
    spoiler_text: note.warning === null ? '' : oneLineText(lineText(note.warning)),
    // A status with a content warning is sensitive, even if the warning is empty.
    sensitive: note.sensitive || note.warning !== null,
    language: language(note.language),
    visibility,
    published: note.published ?? new Date(known.now).toISOString(),
    edited_at: note.updated,
    in_reply_to: note.inReplyTo,
    conversation: note.conversation,
    mentionUris: [
      ...mentioned.uris,
      ...silent.slice(0, maxMentions).map((uri) => ({ uri: uri as string, silent: true })),
    ],
    ...(mentioned.handles.length > 0 && { mentionHandles: [...mentioned.handles] }),
    ...(to.length + cc.length === 0 && { unaddressed: true }),
    tags: tags(note),
    emojis: note.emojis.map(({ shortcode, url, updated }) => ({ shortcode, url, updated })),
    attachments: note.attachments.map(attachment),
    poll: note.poll === null ? null : poll(note.poll, known.now),
    quote: note.quote && { uri: note.quote.uri, stamp: note.quote.authorization, legacy: note.quote.legacy },
    quote_policy: quotePolicy(note.policy.quote, { ...known, following: known.following ?? null }),
    reply_policy: replyPolicy(note.policy.reply, { ...known, following: known.following ?? null }),
    approval: note.approvedBy,
    favourites_count: note.counts.likes,
    reblogs_count: note.counts.shares,
  }
}

/**
 * A fetched status without `to` and `cc`, with the addressing of its Create: its visibility and silent mentions. A status with its own
 * addressing is returned unchanged.
 */
export const withAddressing = (
  note: FetchedNote,
  { to, cc }: Addressing,
  known: { followers: Uri | null; ownHosts: OwnHosts },
): FetchedNote => {
  if (!note.unaddressed || to.length + cc.length === 0) return note
  const spelling = (uri: Uri): Uri => withoutNeedlessParts(uri, known.ownHosts)
  const mentioned = new Set(note.mentionUris.map((it) => it.uri))
  const { visibility, silent } = audienceFor({ to: to.map(spelling), cc: cc.map(spelling) }, mentioned, known)
  const silently = silent.slice(0, maxMentions).map((uri) => ({ uri: uri as string, silent: true }))
  const { unaddressed: _unaddressed, ...rest } = note
  return { ...rest, visibility, mentionUris: [...note.mentionUris, ...silently] }
}
