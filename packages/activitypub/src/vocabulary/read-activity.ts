/** Parses activities: a checked activity, or the reason of the refusal. */

import {
  type Activity,
  type ActivityRefusal,
  type ActivityType,
  activityTypes,
  type InnerActivity,
  type Reaction,
} from './activity.js'
import { readAddressing } from './addresses.js'
import { isActivityStreams, languageOfContext } from './context.js'
import {
  cut,
  firstOf,
  hrefOf,
  idOf,
  idsOf,
  isJsonObject,
  isSeveral,
  type JsonObject,
  listOf,
  prop,
  type Ref,
  refOf,
  shortType,
  soleIdOf,
  textOf,
  typeIn,
  typesOf,
} from './json.js'
import { limits } from './limits.js'
import { convertedKinds, nativeKinds } from './note.js'
import { isReshaped } from './parse-document.js'
import { readTags } from './read-tag.js'
import { naturalText } from './read-text.js'
import { lineText } from './text-or-html.js'
import { timeOf } from './time.js'
import { hostOf, longestUri, readUri, sameOrigin, type Uri } from './uri.js'

export type ReadActivity = { ok: true; activity: Activity } | { ok: false; reason: ActivityRefusal }

type Fields = Activity extends infer A
  ? A extends Activity
    ? Omit<A, 'id' | 'actor' | 'addressing' | 'published' | 'language'>
    : never
  : never

/** Parses an embedded activity; null if only its id was sent, or if it has no type or several types. */
export const innerOf = (ref: Ref): InnerActivity | null => parseInner(ref, byAddress)

/**
 * Like `innerOf`, for the request in an Accept or Reject. An object of the request with a page but no id counts as
 * absent. The sender of the Accept or Reject then counts as that object.
 */
export const requestOf = (ref: Ref): InnerActivity | null => parseInner(ref, new Set())

/** Parses an embedded activity. `named`: types of activities whose object may be named by the address of its page. */
const parseInner = (ref: Ref, named: ReadonlySet<string>): InnerActivity | null => {
  if (ref.node === null) return null
  const [type, ...others] = typesOf(ref.node)
  if (type === undefined || others.length > 0) return null
  const given = prop(ref.node, 'object')
  const object = soleRefOf(given)
  const page = object?.id == null && named.has(type) ? soleAddressOf(given) : null
  return {
    type,
    id: ref.id,
    actor: soleIdOf(prop(ref.node, 'actor')),
    object: page === null ? object : { id: page, node: null },
    addresses: addressesOf(given),
    isReaction: type === 'EmojiReact' || (type === 'Like' && readReaction(ref.node) !== null),
  }
}

/** Types of activities whose object may be named by the address of its page. */
const byAddress: ReadonlySet<string> = new Set(['Announce', 'Block', 'EmojiReact', 'Follow', 'Like'])

const soleRefOf = (value: unknown): Ref | null => (isSeveral(value) ? null : refOf(value))

/** Id of a single object, else the address of a Link or page; null for a list of several. */
const soleAddressOf = (value: unknown): Uri | null => soleIdOf(value) ?? (isSeveral(value) ? null : hrefOf(value))

const kinds: ReadonlySet<string> = new Set([...nativeKinds, ...convertedKinds])

/** The activity that a group announces; null if the object is a status. An object with `object` and no status type is an activity. */
const passedOn = (ref: Ref): InnerActivity | null => {
  const isActivity = ref.node !== null && prop(ref.node, 'object') !== undefined && typeIn(ref.node, kinds) === null
  return isActivity ? innerOf(ref) : null
}

/** Parses `bear:?t=TOKEN&u=ADDRESS`, an address that needs a token to be fetched; null for other values. */
const bearOf = (value: unknown): { ref: Ref; token: string } | null => {
  if (typeof value !== 'string' || value.length > 4096 || !value.startsWith('bear:')) return null
  const query = new URLSearchParams(value.slice(value.indexOf('?') + 1))
  const [id, token] = [readUri(query.get('u')), query.get('t')]
  return id !== null && token !== null && /^[\x21-\x7e]{1,1024}$/.test(token)
    ? { ref: { id, node: null }, token }
    : null
}

const readCreate = (document: JsonObject): Fields | ActivityRefusal => {
  const bear = bearOf(prop(document, 'object'))
  if (bear !== null) return { type: 'Create', objects: [bear.ref], bearer: bear.token }
  const entries = listOf(prop(document, 'object'), limits.objectsOfCreate)
  const objects = entries.map(refOf)
  return objects.length > 0 && objects.every((it) => it !== null)
    ? { type: 'Create', objects, bearer: null }
    : 'bad-object'
}

const readReaction = (document: JsonObject): Reaction | null => {
  const { emojis } = readTags(prop(document, 'tag'))
  const max = limits.shortcode + 2
  const given =
    naturalText(document, 'content', limits.line) || textOf(prop(document, '_misskey_reaction'), limits.line)
  // The `content` of a reaction may be HTML.
  const text = cut(lineText(given ?? ''), max).trim()
  // Some servers send a custom emoji only in `tag`.
  if (!text) return emojis[0] ? { content: `:${emojis[0].shortcode}:`, emoji: emojis[0] } : null
  const name = /^:([^:]+):$/.exec(text)?.[1] ?? (emojis.length > 0 ? text : undefined)
  // The name of a custom emoji of a third server contains the host of that server.
  const emoji = emojis.find((it) => it.shortcode === name || it.shortcode === name?.split('@', 1)[0])
  return { content: text, emoji: emoji ?? null }
}

/** Passes the address of an activity's single object to `make`. Refuses an activity without a single object. */
const withObject = (
  document: JsonObject,
  make: (object: Uri) => Fields | ActivityRefusal,
): Fields | ActivityRefusal => {
  const object = soleAddressOf(prop(document, 'object'))
  return object === null ? 'bad-object' : make(object)
}

/** Like `withObject`, but passes a reference to `make`, which may contain an embedded copy of the object. */
const withRef = (document: JsonObject, make: (object: Ref) => Fields | ActivityRefusal): Fields | ActivityRefusal => {
  const object = soleRefOf(prop(document, 'object'))
  return object === null || (object.id === null && object.node === null) ? 'bad-object' : make(object)
}

const withTarget = (
  document: JsonObject,
  make: (target: Uri) => Fields | ActivityRefusal,
): Fields | ActivityRefusal => {
  const target = soleIdOf(prop(document, 'target'))
  return target === null ? 'bad-target' : make(target)
}

const readers: Record<ActivityType, (document: JsonObject) => Fields | ActivityRefusal> = {
  Follow: (it) => withObject(it, (object) => ({ type: 'Follow', object })),
  Accept: (it) =>
    withRef(it, (object) => ({ type: 'Accept', object, inner: requestOf(object), result: idOf(prop(it, 'result')) })),
  Reject: (it) =>
    withRef(it, (object) => ({ type: 'Reject', object, inner: requestOf(object), result: idOf(prop(it, 'result')) })),
  Undo: (it) => withRef(it, (object) => ({ type: 'Undo', object, inner: innerOf(object) })),
  Create: readCreate,
  Update: (it) => withRef(it, (object) => (object.id === null ? 'bad-object' : { type: 'Update', object })),
  Delete: (it) => withRef(it, (object) => (object.id === null ? 'bad-object' : { type: 'Delete', object })),
  Announce: (it) =>
    withRef(it, (object) => {
      const inner = passedOn(object)
      if (object.id !== null || inner !== null) return { type: 'Announce', object, inner }
      const page = soleAddressOf(prop(it, 'object'))
      return page === null ? 'bad-object' : { type: 'Announce', object: { id: page, node: null }, inner }
    }),
  Like: (it) => withObject(it, (object) => ({ type: 'Like', object, reaction: readReaction(it) })),
  Block: (it) => withObject(it, (object) => ({ type: 'Block', object, target: idOf(prop(it, 'target')) })),
  Flag: (it) => {
    // FEP-7aa9 uses the property `objects` instead of `object`.
    const objects = idsOf(prop(it, 'object') ?? prop(it, 'objects'), limits.objectsOfFlag)
    // Lemmy sends the reason of a report in `summary`.
    const comment = naturalText(it, 'content', limits.comment) || naturalText(it, 'summary', limits.comment) || ''
    return objects.length === 0 ? 'bad-object' : { type: 'Flag', objects, comment }
  },
  Move: (it) => withObject(it, (object) => withTarget(it, (target) => ({ type: 'Move', object, target }))),
  Add: (it) => withTarget(it, (target) => withRef(it, (object) => ({ type: 'Add', object, target }))),
  Remove: (it) => withTarget(it, (target) => withRef(it, (object) => ({ type: 'Remove', object, target }))),
  QuoteRequest: (it) =>
    withObject(it, (object) => {
      const instrument = soleRefOf(prop(it, 'instrument'))
      return instrument?.id ? { type: 'QuoteRequest', object, instrument } : 'bad-instrument'
    }),
  FeatureRequest: (it) =>
    withObject(it, (object) => {
      const instrument = soleIdOf(prop(it, 'instrument'))
      return instrument === null ? 'bad-instrument' : { type: 'FeatureRequest', object, instrument }
    }),
}

const understood: ReadonlySet<string> = new Set(activityTypes)

/**
 * Type of the activity, or the reason of the refusal. A list of several types is refused, because its effect is ambiguous. JSON-LD
 * writes one type as a list too.
 */
const typeOf = (document: JsonObject): ActivityType | ActivityRefusal => {
  const types = prop(document, 'type')
  const given = isSeveral(types) ? null : firstOf(types)
  if (typeof given !== 'string') return 'bad-type'
  const type = shortType(given)
  if (type === 'EmojiReact') return 'Like'
  return understood.has(type) ? (type as ActivityType) : 'unsupported-type'
}

/** Ids without a host: `tag:`, `urn:uuid:`, `did:`, and blank nodes (`_:b0`). */
const unproved = /^(?:_|(?!https?:|data:|javascript:|blob:)[a-z][a-z0-9+.-]{1,30}):[\x21-\x7e]+$/i

/** Id of the activity; null if it is absent, empty, or has no host. */
const readId = (document: JsonObject): Uri | null | 'bad-id' => {
  const id = prop(document, 'id')
  if (id === undefined || id === null || id === '') return null
  if (typeof id === 'string' && id.length <= longestUri && unproved.test(id)) return null
  return readUri(id) ?? 'bad-id'
}

/**
 * Types of activities that need no id, because their effect follows from actor and object. A Flag with the same objects
 * and comment repeats the report.
 */
const idless: ReadonlySet<string> = new Set(['Accept', 'Reject', 'Follow', 'Like', 'Announce', 'Undo', 'Block', 'Flag'])

/** Addresses in the value of `object`: its id or page, and the actor and object if it is an activity. */
const addressesIn = (object: unknown): Uri[] => {
  const node = refOf(object)?.node
  const inner = node ? ['actor', 'object'].map((name) => soleAddressOf(prop(node as JsonObject, name))) : []
  return [soleAddressOf(object), ...inner].filter((one) => one !== null)
}

/** Addresses in one object or in a list of objects, see `addressesIn`. */
const addressesOf = (objects: unknown): Uri[] => [objects].flat().flatMap(addressesIn)

/**
 * True for an id that is not on the origin of the actor, but is accepted and counts as missing. Such an id is on this
 * server, on the host of the actor with another scheme, or on the server of an object. Some servers append a suffix to the
 * id of the object, such as `FOLLOW#accept`.
 */
export const countsAsMissing = (
  id: Uri,
  it: { actor: Uri; objects: readonly Uri[]; ownHosts: ReadonlySet<string> },
): boolean => {
  if (sameOrigin(id, it.actor)) return false
  const host = hostOf(id) as string
  return host === hostOf(it.actor) || it.ownHosts.has(host) || it.objects.some((one) => sameOrigin(id, one))
}

/** Parses the activity in a document that `parseDocument` returned. `ownHosts` are the hosts of this server. */
export const readActivity = (document: unknown, ownHosts: ReadonlySet<string> = new Set()): ReadActivity => {
  const no = (reason: ActivityRefusal): ReadActivity => ({ ok: false, reason })
  if (!isJsonObject(document)) return no('not-an-object')
  if (isReshaped(document)) return no('reshaped')
  if (!isActivityStreams(document)) return no('no-context')
  const type = typeOf(document)
  if (!understood.has(type)) return no(type as ActivityRefusal)
  const actor = soleIdOf(prop(document, 'actor'))
  if (actor === null) return no('bad-actor')
  const own = readId(document)
  if (own === 'bad-id') return no('bad-id')
  const id =
    own !== null &&
    idless.has(type) &&
    countsAsMissing(own, { actor, objects: addressesOf(prop(document, 'object')), ownHosts })
      ? null
      : own
  const fields = readers[type as ActivityType](document)
  if (typeof fields === 'string') return no(fields)
  const common = {
    id,
    actor,
    addressing: readAddressing(document),
    published: timeOf(prop(document, 'published')),
    language: languageOfContext(document),
  }
  return { ok: true, activity: { ...common, ...fields } as Activity }
}
