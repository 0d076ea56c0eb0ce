/**
 * Fetches the object of an address that a user entered: a status, an actor, the Create of a status, or an HTML page of
 * a status or actor.
 */

import { actorKinds } from '@murmuration/activitypub/vocabulary/actor'
import { readAddressing } from '@murmuration/activitypub/vocabulary/addresses'
import { idOf, type JsonObject, prop, soleIdOf, typesOf } from '@murmuration/activitypub/vocabulary/json'
import type { IncomingNote } from '@murmuration/activitypub/vocabulary/note'
import { readActor } from '@murmuration/activitypub/vocabulary/read-actor'
import { authorsIn, type ReadNoteOptions, readNote } from '@murmuration/activitypub/vocabulary/read-note'
import { isPublic, readUri, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { RemoteActor } from '@murmuration/contracts/accounts'
import type { FetchedNote } from '@murmuration/contracts/federation'
import { remoteNote } from '../core/remote-object/note.rules.js'
import { buildActor, type FetchContext } from './actor.js'
import { type Document, documentAt, readDocument } from './document.js'
import { documentTypes, type Failed, failed } from './document-fetcher.js'

export type Found = { ok: true; note: FetchedNote | null; actor: RemoteActor | null }

/** An Update or Delete, which is neither a status nor an actor, with the id of its object. */
interface FoundActivity {
  type: 'Update' | 'Delete'
  object: Uri
}

const actorNames: ReadonlySet<string> = new Set(actorKinds)

/** The document of any object at an address, or of its page. */
const objectAt = ({ fetcher, self }: FetchContext, uri: Uri): Promise<Document | Failed> =>
  documentAt(fetcher, uri, {
    kind: 'object',
    accept: `${documentTypes}, text/html;q=0.1`,
    ownHosts: self.ownHosts,
    elsewhere: true,
  })

interface Author {
  /** Actor id. For a public status, the author may be given by a page address, because the actor is not fetched. */
  uri: Uri
  /** Followers collection, to determine the visibility of a non-public status. `followers` is null for a public status. */
  followers: Uri | null
}

/** Author of a fetched status: the first `attributedTo` on the host of the status. */
const authorOf = async (context: FetchContext, note: IncomingNote): Promise<Author | Failed> => {
  const named = note.attributedTo.find((it) => sameOrigin(it, note.uri))
  if (named === undefined) return failed('refused')
  const { to, cc } = note.addressing
  if ([...to, ...cc].some(isPublic)) return { uri: named, followers: null }
  const document = await objectAt(context, named)
  // Without its followers collection, a followers-only status would be stored as a direct one.
  if (!document.ok && document.outcome === 'later') return document
  const read = document.ok ? readActor(document.document, { fetched: true }) : null
  return read?.ok && sameOrigin(read.actor.uri, note.uri)
    ? { uri: read.actor.uri, followers: read.actor.followers }
    : { uri: named, followers: null }
}

/** A fetched document. `around`: the Create at the requested address, if it is by the author of the document. */
type Published = Document & { around?: NonNullable<ReadNoteOptions['around']> }

/** Converts the status in a proved document. The author of the status must be on the same host. */
export const noteIn = async (context: FetchContext, proved: Published, now: number): Promise<Found | Failed> => {
  const { around } = proved
  const read = readNote(proved.document, { fetched: true, ...(around && { around }) })
  if (!read.ok || read.note.uri !== proved.uri) return failed('refused')
  const author = await authorOf(context, read.note)
  if ('outcome' in author) return author
  const note = remoteNote(read.note, { author: author.uri, followers: author.followers, own: context.self, now })
  return { ok: true, note, actor: null }
}

/** URI of the object of a Create, if it is on the same server; null for other documents. */
const publishedBy = (document: JsonObject, uri: Uri): Uri | null => {
  if (!typesOf(document).includes('Create')) return null
  const object = idOf(prop(document, 'object'))
  return object !== null && sameOrigin(object, uri) ? object : null
}

/** The document with the addressing of the Create that published it, unless the actor of the Create is not its author (see `authorOf`). */
const withCreate = (document: Document, create: JsonObject): Published => {
  const actor = idOf(prop(create, 'actor'))
  const author = authorsIn(document.document).find((one) => sameOrigin(one, document.uri))
  return actor !== null && author === actor
    ? { ...document, around: { addressing: readAddressing(create), language: null } }
    : document
}

/** The proved document of an address: directly, through its page, or through the Create that published it. */
export const documentByUrl = async (context: FetchContext, text: string): Promise<Published | Failed> => {
  const uri = readUri(text)
  if (uri === null) return failed('refused')
  const first = await objectAt(context, uri)
  const published = first.ok ? publishedBy(first.document, first.uri) : null
  const document =
    published === null
      ? first
      : await readDocument(context.fetcher, published, { kind: 'object', ownHosts: context.self.ownHosts, exact: true })
  // A Tombstone at the address of a status means that the status was deleted.
  if (document.ok && typesOf(document.document).includes('Tombstone')) return failed('gone')
  return document.ok && first.ok && published !== null ? withCreate(document, first.document) : document
}

/** The Update or Delete in a document; null for other documents. */
const activityIn = (document: JsonObject): FoundActivity | null => {
  const type = (['Update', 'Delete'] as const).find((it) => typesOf(document).includes(it))
  const object = type === undefined ? null : soleIdOf(prop(document, 'object'))
  return type === undefined || object === null ? null : { type, object }
}

export const objectByUrl = async (
  context: FetchContext,
  text: string,
  now: number,
): Promise<Found | (Failed & { activity?: FoundActivity })> => {
  const document = await documentByUrl(context, text)
  if (!document.ok) return document
  const activity = activityIn(document.document)
  if (activity !== null) return { ...failed('refused'), activity }
  if (!typesOf(document.document).some((it) => actorNames.has(it))) return noteIn(context, document, now)
  const built = await buildActor(context, document, { totals: true })
  return built.ok ? { ok: true, note: null, actor: built.actor } : built
}
