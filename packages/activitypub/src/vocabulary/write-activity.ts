/** Writes outgoing activities. Each has an id on the actor's host, and `to` and `cc` are always lists. */

import { readTime } from '@murmuration/text/read-time'
import { hashtagContext, noteContext, plainContext, tombstoneContext } from './context.js'
import { isoTime } from './time.js'
import { publicCollection } from './uri.js'
import { type NoteSource, noteNode } from './write-note.js'

export type Addresses = { to: readonly string[]; cc: readonly string[] }

/** An outgoing activity. An activity is serialised once, and every recipient receives the same bytes. */
export type OutgoingActivity = {
  readonly '@context': readonly unknown[]
  readonly id: string
  readonly type: string
  readonly actor: string
} & Readonly<Record<string, unknown>>

type Node = { id: string; type: string; actor: string } & Record<string, unknown>

const document = (context: readonly unknown[], node: Node): OutgoingActivity => ({ '@context': context, ...node })

/** Create of a status. The id of the Create is the id of the status with `/activity`. */
export const writeCreate = (note: NoteSource): OutgoingActivity =>
  document(noteContext, {
    id: `${note.uri}/activity`,
    type: 'Create',
    actor: note.authorUri,
    published: isoTime(note.publishedAt),
    to: [...note.to],
    cc: [...note.cc],
    object: noteNode(note),
  })

/**
 * Create of a held reply, for the author of its parent only. Its id differs from the id of the later Create for all
 * recipients.
 */
export const writeCreateForApproval = (note: NoteSource): OutgoingActivity => ({
  ...writeCreate(note),
  id: `${note.uri}#asking`,
})

/** Update of a status after an edit or new results of its poll. `at` (ISO 8601) makes the id unique. */
export const writeUpdateOfNote = (note: NoteSource, at: string): OutgoingActivity =>
  document(noteContext, {
    id: `${note.uri}#updates/${readTime(at)}`,
    type: 'Update',
    actor: note.authorUri,
    published: isoTime(at),
    to: [...note.to],
    cc: [...note.cc],
    object: noteNode(note),
  })

/** Update of an actor, with the document of `writeActor`. `at` (ISO 8601) makes the id unique. */
export const writeUpdateOfActor = (
  actor: { '@context': readonly unknown[]; id: string },
  at: string,
): OutgoingActivity => {
  const { '@context': context, ...node } = actor
  return document(context, {
    id: `${actor.id}#updates/${readTime(at)}`,
    type: 'Update',
    actor: actor.id,
    to: [publicCollection],
    cc: [],
    object: node,
  })
}

/** Writes the Delete of a status. */
export const writeDeleteOfNote = (it: { uri: string; actor: string }): OutgoingActivity =>
  document(tombstoneContext, {
    id: `${it.uri}#delete`,
    type: 'Delete',
    actor: it.actor,
    to: [publicCollection],
    cc: [],
    object: { id: it.uri, type: 'Tombstone', atomUri: it.uri },
  })

/** Writes the Delete of an actor. */
export const writeDeleteOfActor = (actor: string): OutgoingActivity =>
  document(plainContext, {
    id: `${actor}#delete`,
    type: 'Delete',
    actor,
    to: [publicCollection],
    cc: [],
    object: actor,
  })

/**
 * Announce of a reblog. `uri`: id of the reblog. `object`: id of the reblogged status, or the status itself to embed
 * it.
 */
export const writeAnnounce = (
  it: { uri: string; actor: string; object: string | NoteSource; publishedAt: string } & Addresses,
): OutgoingActivity =>
  document(typeof it.object === 'string' ? plainContext : noteContext, {
    id: `${it.uri}/activity`,
    type: 'Announce',
    actor: it.actor,
    published: isoTime(it.publishedAt),
    to: [...it.to],
    cc: [...it.cc],
    object: typeof it.object === 'string' ? it.object : noteNode(it.object),
  })

/** The activity with only the id of its object, so that its content is not sent again. */
export const bare = (activity: OutgoingActivity): OutgoingActivity => {
  const { object } = activity
  const id = typeof object === 'object' && object !== null ? (object as { id?: unknown }).id : undefined
  return id === undefined ? activity : { ...activity, object: id }
}

/** Like `bare`, for the JSON text of an activity. Throws if the text is not JSON. */
export const bareText = (text: string): string => JSON.stringify(bare(JSON.parse(text) as OutgoingActivity))

/** Data of an activity about one remote account, addressed to that account alone. */
type ActivityOfActor = {
  /** Id of the activity, on the actor's host and unique. */
  id: string
  actor: string
  object: string
}

/** Writes the Follow of an account. */
export const writeFollow = (it: ActivityOfActor): OutgoingActivity =>
  document(plainContext, { id: it.id, type: 'Follow', actor: it.actor, to: [it.object], cc: [], object: it.object })

/** Writes the Block of an account. */
export const writeBlock = (it: ActivityOfActor): OutgoingActivity =>
  document(plainContext, { id: it.id, type: 'Block', actor: it.actor, to: [it.object], cc: [], object: it.object })

/** Writes the Like of a status, addressed to its author. */
export const writeLike = (it: ActivityOfActor & { author: string }): OutgoingActivity =>
  document(plainContext, { id: it.id, type: 'Like', actor: it.actor, to: [it.author], cc: [], object: it.object })

/** A Follow as received. The Follow is repeated exactly, because some servers compare the whole Follow. */
export type ReceivedFollow = { id: string | null; actor: string; object: string }

const writeResponse = (
  type: 'Accept' | 'Reject',
  it: { id: string; actor: string; follow: ReceivedFollow },
): OutgoingActivity => {
  const { id, actor, object } = it.follow
  return document(plainContext, {
    id: it.id,
    type,
    actor: it.actor,
    to: [actor],
    cc: [],
    object: { ...(id === null ? {} : { id }), type: 'Follow', actor, object },
  })
}

/** Writes the Accept of a Follow. `id`: id of the Accept. `actor`: the followed account. */
export const writeAccept = (it: { id: string; actor: string; follow: ReceivedFollow }): OutgoingActivity =>
  writeResponse('Accept', it)
/** Writes the Reject of a Follow. `id`: id of the Reject. `actor`: the followed account. */
export const writeReject = (it: { id: string; actor: string; follow: ReceivedFollow }): OutgoingActivity =>
  writeResponse('Reject', it)

/**
 * Undo of a local activity, which the Undo contains without `@context`. The Undo is addressed like the undone activity.
 */
export const writeUndo = (undone: OutgoingActivity): OutgoingActivity => {
  const { '@context': context, ...node } = undone
  return document(context, {
    id: `${undone.id}${undone.id.includes('#') ? '/' : '#'}undo`,
    type: 'Undo',
    actor: undone.actor,
    to: listed(undone.to),
    cc: listed(undone.cc),
    object: node,
  })
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? [...value] : [])

/** Flag of the instance actor, so that the reporter stays anonymous. `objects`: the account first, then statuses and collections. */
export const writeFlag = (it: {
  id: string
  actor: string
  objects: readonly [string, ...string[]]
  comment: string
}): OutgoingActivity =>
  document(plainContext, {
    id: it.id,
    type: 'Flag',
    actor: it.actor,
    to: [it.objects[0]],
    cc: [],
    content: it.comment,
    object: [...it.objects],
  })

/** An entry of the `featured` collection to add or remove: `object` is the id of a status, or a hashtag. */
export type PinSource = {
  id: string
  actor: string
  featured: string
  followers: string
  object: string | { name: string; url: string }
}

const pin = (type: 'Add' | 'Remove', it: PinSource): OutgoingActivity =>
  document(typeof it.object === 'string' ? plainContext : hashtagContext, {
    id: it.id,
    type,
    actor: it.actor,
    to: [publicCollection],
    cc: [it.followers],
    target: it.featured,
    object:
      typeof it.object === 'string' ? it.object : { type: 'Hashtag', href: it.object.url, name: `#${it.object.name}` },
  })

/** Writes the Add of an entry to the `featured` collection. */
export const writeAdd = (it: PinSource): OutgoingActivity => pin('Add', it)
/** Writes the Remove of an entry of the `featured` collection. */
export const writeRemove = (it: PinSource): OutgoingActivity => pin('Remove', it)

/** Move of an account to `target` (actor id), addressed to its followers. */
export const writeMove = (it: { id: string; actor: string; target: string; followers: string }): OutgoingActivity =>
  document(plainContext, {
    id: it.id,
    type: 'Move',
    actor: it.actor,
    to: [it.followers],
    cc: [],
    object: it.actor,
    target: it.target,
  })

/** Create of a vote in a remote poll: a Note with the option as name and no content, addressed to the author of the poll. */
export const writeVote = (it: {
  id: string
  actor: string
  poll: string
  author: string
  option: string
}): OutgoingActivity =>
  document(plainContext, {
    id: `${it.id}/activity`,
    type: 'Create',
    actor: it.actor,
    to: [it.author],
    cc: [],
    object: {
      id: it.id,
      type: 'Note',
      name: it.option,
      attributedTo: it.actor,
      inReplyTo: it.poll,
      to: [it.author],
      cc: [],
    },
  })
