/** A foreign status in the form in which statuses keeps it: clean HTML, bounded, with its audience decided. */
import type { ApprovalGroup } from '@murmuration/contracts/entities'
import type { FetchedNote } from '@murmuration/contracts/federation'
import { htmlToPlainText, normaliseTag, sanitiseRemoteHtml, supportedLanguage } from '@murmuration/text'
import type { IncomingAttachment, IncomingNote, IncomingPolicy, IncomingPoll } from '../vocabulary/note.js'
import { hostOf, publicCollection, readDomain, type Uri } from '../vocabulary/uri.js'
import { type Audience, audienceOf } from './audience.js'
import { isOurs, type OwnHosts } from './authority.js'
import { plainName } from './plain-name.js'

/** Mentions of one status that are looked at; more is a way to disturb many people at once. */
export const mostMentions = 100

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
  const title = plainName(markup ? htmlToPlainText(name) : name)
  return title === name ? { title, votes } : { title, votes, name }
}

const poll = (it: IncomingPoll, now: number): NonNullable<FetchedNote['poll']> => ({
  multiple: it.multiple,
  options: it.options.map(option),
  expires_at: it.closed ? (it.endsAt ?? new Date(now).toISOString()) : it.endsAt,
  voters: it.voters,
})

const tags = (note: IncomingNote): FetchedNote['tags'] => [
  ...new Map(
    note.hashtags
      .map((display) => ({ name: normaliseTag(display), display }))
      .filter((it) => it.name !== '')
      .map((it) => [it.name, it] as const),
  ).values(),
]

/** Codes we do not know are kept: the people who read that language do. */
const language = (code: string | null): string | null => (code === null ? null : (supportedLanguage(code) ?? code))

/** Who sees a status, with `limited` folded into `direct`: the addressed may see it and nobody is told. */
export const audienceFor = (
  note: IncomingNote,
  known: { followers: Uri | null; ownHosts: OwnHosts },
): { visibility: FetchedNote['visibility']; silent: Audience['silent'] } => {
  const { visibility, silent } = audienceOf(note.addressing, {
    followers: known.followers,
    isLocalAccount: (uri) => isOurs(uri, known.ownHosts),
    mentioned: new Set(note.mentions.map((it) => it.href ?? '')),
  })
  return { visibility: visibility === 'limited' ? 'direct' : visibility, silent }
}

/** The groups that a policy lets quote. The author alone means nobody; whom we cannot judge is named as such. */
const quotePolicy = (
  policy: IncomingPolicy | null,
  known: { author: Uri; followers: Uri | null; following: Uri | null },
): FetchedNote['quote_policy'] => {
  const groupOf = (uri: Uri): ApprovalGroup | null => {
    if (uri === publicCollection) return 'public'
    if (uri === known.followers) return 'followers'
    if (uri === known.following) return 'following'
    return uri === known.author ? null : 'unsupported_policy'
  }
  const groups = (uris: readonly Uri[]): ApprovalGroup[] => [...new Set(uris.map(groupOf).filter((it) => it !== null))]
  return { automatic: groups(policy?.automatic ?? []), manual: groups(policy?.manual ?? []) }
}

/** The status, without those who are named by a handle only: the caller finds them. */
export const remoteNote = (
  note: IncomingNote,
  known: { author: Uri; followers: Uri | null; following?: Uri | null; ownHosts: OwnHosts; now: number },
): FetchedNote => {
  const { visibility, silent } = audienceFor(note, known)
  const mentioned = note.mentions.flatMap((it) => (it.href === null ? [] : [it.href])).slice(0, mostMentions)
  return {
    uri: note.uri,
    url: hostOf(note.url) === hostOf(note.uri) ? note.url : null,
    authorUri: known.author,
    html: sanitiseRemoteHtml(note.html),
    spoiler_text: note.warning === null ? '' : plainName(note.warning),
    // A warning without words still hides what stands below it.
    sensitive: note.sensitive || note.warning !== null,
    language: language(note.language),
    visibility,
    published: note.published ?? new Date(known.now).toISOString(),
    edited_at: note.updated,
    in_reply_to: note.inReplyTo,
    conversation: note.conversation,
    mentionUris: [
      ...mentioned.map((uri) => ({ uri: uri as string, silent: false })),
      ...silent.slice(0, mostMentions).map((uri) => ({ uri: uri as string, silent: true })),
    ],
    tags: tags(note),
    emojis: note.emojis.map(({ shortcode, url, updated }) => ({ shortcode, url, updated })),
    attachments: note.attachments.map(attachment),
    poll: note.poll === null ? null : poll(note.poll, known.now),
    quote: note.quote && { uri: note.quote.uri, stamp: note.quote.authorization, legacy: note.quote.legacy },
    quote_policy: quotePolicy(note.policy.quote, { ...known, following: known.following ?? null }),
    favourites_count: note.counts.likes,
    reblogs_count: note.counts.shares,
  }
}

const profilePath = /^\/(?:@|users\/)([A-Za-z0-9_]{1,30})\/?$/

/**
 * Mentions that say a handle or one of our profile pages instead of an actor, as lower-case `name` (here) or
 * `name@domain`.
 */
export const mentionHandles = (
  note: Pick<IncomingNote, 'mentions'>,
  own: { hosts: OwnHosts; domains: ReadonlySet<string> },
): string[] =>
  note.mentions.slice(0, mostMentions).flatMap(({ href, name }) => {
    if (href !== null) {
      const page = isOurs(href, own.hosts) ? profilePath.exec(new URL(href).pathname)?.[1] : undefined
      return page === undefined ? [] : [page.toLowerCase()]
    }
    const [user = '', host] = (name ?? '').replace(/^@/, '').toLowerCase().split('@')
    const domain = readDomain(host)
    if (domain === null || user === '') return []
    return [own.domains.has(domain) ? user : `${user}@${domain}`]
  })
