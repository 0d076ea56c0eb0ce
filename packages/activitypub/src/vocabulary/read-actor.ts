/** Parses actors: a checked actor, or the reason of the refusal. */

import { type ActorKind, type ActorRefusal, actorKinds, type IncomingActor } from './actor.js'
import { isActivityStreams } from './context.js'
import {
  extension,
  firstOf,
  hrefOf,
  idOf,
  idsOf,
  isJsonObject,
  isNo,
  isYes,
  type JsonObject,
  listOf,
  mayBePage,
  mediaTypeOf,
  prop,
  scalarOf,
  textOf,
  typeIn,
  typesOf,
} from './json.js'
import { limits } from './limits.js'
import { isReshaped } from './parse-document.js'
import { readImage } from './read-attachment.js'
import { claimsKey, readKeys } from './read-key.js'
import { readFeaturePolicy } from './read-quote.js'
import { readTags } from './read-tag.js'
import { naturalText } from './read-text.js'
import { timeOf } from './time.js'
import { hostOf, readDomain, readUri, sameOrigin, type Uri } from './uri.js'

export type ReadActor = { ok: true; actor: IncomingActor } | { ok: false; reason: ActorRefusal }

const kinds: ReadonlySet<ActorKind> = new Set(actorKinds)

const usernamePattern = /^[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*$/i

/**
 * True for a valid user name. A user name is ASCII only, so that letters of other scripts cannot imitate Latin letters.
 */
export const isUsername = (text: string): boolean => text.length <= limits.username && usernamePattern.test(text)

/**
 * Parses `user@host`, with or without `acct:` or a leading `@`. The domain is normalised. Returns null for a value that
 * is no handle.
 */
export const readHandle = (value: unknown): { username: string; domain: string } | null => {
  const [username = '', host, ...rest] = (textOf(value, limits.username) ?? '').replace(/^(?:acct:)?@?/i, '').split('@')
  const domain = readDomain(host)
  return rest.length === 0 && domain !== null && isUsername(username) ? { username, domain } : null
}

/**
 * `preferredUsername` of an actor, as a string, number or language map; null if it has none. The name may be too long
 * or otherwise invalid.
 */
export const preferredUsernameOf = (node: JsonObject): string | null =>
  naturalText(node, 'preferredUsername', limits.username + 1)

const handleOf = (node: JsonObject, uri: Uri): IncomingActor['handle'] | null => {
  const username = preferredUsernameOf(node)
  // `preferredUsername` must be valid if present, even if `webfinger` has another name.
  if (username !== null && !isUsername(username)) return null
  const stated = readHandle(prop(node, 'webfinger'))
  return stated ?? (username === null ? null : { username, domain: hostOf(uri) as string })
}

/**
 * First entry of the actor's `url` that is on the actor's host and may be HTML. Entries that declare HTML are
 * preferred. The actor's id if there is none.
 */
const urlOf = (node: JsonObject, uri: Uri): Uri => {
  const entries = listOf(prop(node, 'url'), 32)
  const stated = entries.filter((it) => mediaTypeOf(it) !== null && mayBePage(it))
  const silent = entries.filter((it) => mediaTypeOf(it) === null)
  return [...stated, ...silent].map(hrefOf).find((it) => it !== null && hostOf(it) === hostOf(uri)) ?? uri
}

const fieldsOf = (node: JsonObject): IncomingActor['fields'] => {
  return listOf(prop(node, 'attachment'), limits.attachmentEntries)
    .filter((it): it is JsonObject => isJsonObject(it) && typesOf(it).includes('PropertyValue'))
    .slice(0, limits.fields)
    .map((it) => ({
      name: naturalText(it, 'name', limits.field) ?? '',
      value: naturalText(it, 'value', limits.field) ?? '',
    }))
    .filter((it) => it.name !== '' || it.value !== '')
}

/** The address in a value, if it is on the origin of the actor; else null. */
const ownAddress = (value: unknown, uri: Uri): Uri | null => {
  const address = idOf(value) ?? hrefOf(value)
  return address !== null && sameOrigin(address, uri) ? address : null
}

const sharedInboxOf = (node: JsonObject, uri: Uri): Uri | null => {
  const endpoints = firstOf(prop(node, 'endpoints'))
  const nested = isJsonObject(endpoints) ? ownAddress(prop(endpoints, 'sharedInbox'), uri) : null
  return nested ?? ownAddress(prop(node, 'sharedInbox'), uri)
}

const domainsOf = (value: unknown): readonly string[] => [
  ...new Set(
    listOf(value, limits.aliases)
      .map((it) => readDomain(scalarOf(it)))
      .filter((it) => it !== null),
  ),
]

/**
 * Parses an actor. `fetched`: the value is a fetched document, so its `@context` must contain ActivityStreams; the
 * `@context` of an embedded copy need not.
 */
export const readActor = (value: unknown, options: { fetched?: boolean } = {}): ReadActor => {
  const no = (reason: ActorRefusal): ReadActor => ({ ok: false, reason })
  if (!isJsonObject(value)) return no('not-an-object')
  if (options.fetched && !isActivityStreams(value)) return no('no-context')
  if (options.fetched && isReshaped(value)) return no('reshaped')
  const kind = typeIn(value, kinds)
  if (kind === null) return no('unsupported-type')
  const uri = readUri(prop(value, 'id'))
  if (uri === null) return no('bad-id')
  const handle = handleOf(value, uri)
  if (handle === null) return no('bad-username')
  const inbox = ownAddress(prop(value, 'inbox'), uri)
  if (inbox === null) return no('bad-inbox')
  const { keys, keyUris } = readKeys(value, uri)
  // An actor without keys is accepted, because it can be shown and followed. An actor whose `publicKey` has only invalid
  // keys is refused.
  if (keys.length + keyUris.length === 0 && claimsKey(value)) return no('no-key')

  // If a value is unclear, less is shown: a consent counts only if it is `true`, and a restriction counts for any value
  // that does not mean no.
  const consents = (name: string) => scalarOf(prop(value, name)) === true
  const restricts = (name: string) => isYes(extension(value, name))
  const unlessNo = (name: string) => !isNo(prop(value, name))
  const own = (name: string) => ownAddress(prop(value, name), uri)
  const actor: IncomingActor = {
    uri,
    kind,
    username: handle.username,
    handle,
    url: urlOf(value, uri),
    name: naturalText(value, 'name', limits.displayName) ?? '',
    bio: naturalText(value, 'summary', limits.bio) ?? '',
    fields: fieldsOf(value),
    avatar: readImage(prop(value, 'icon')),
    header: readImage(prop(value, 'image')),
    emojis: readTags(prop(value, 'tag')).emojis,
    locked: restricts('manuallyApprovesFollowers'),
    discoverable: consents('discoverable'),
    indexable: consents('indexable'),
    memorial: restricts('memorial'),
    showFeatured: unlessNo('showFeatured'),
    showMedia: unlessNo('showMedia'),
    showRepliesInMedia: unlessNo('showRepliesInMedia'),
    suspended: restricts('suspended'),
    published: timeOf(prop(value, 'published')),
    inbox,
    sharedInbox: sharedInboxOf(value, uri),
    outbox: own('outbox'),
    followers: own('followers'),
    following: own('following'),
    featured: own('featured'),
    featuredTags: own('featuredTags'),
    featuredCollections: own('featuredCollections'),
    featurePolicy: readFeaturePolicy(value),
    movedTo: idOf(extension(value, 'movedTo')) ?? hrefOf(extension(value, 'movedTo')),
    aliases: idsOf(extension(value, 'alsoKnownAs'), limits.aliases),
    attributionDomains: domainsOf(prop(value, 'attributionDomains')),
    keys,
    keyUris,
  }
  return { ok: true, actor }
}
