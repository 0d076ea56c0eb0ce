/**
 * Types of parsed remote actors. Forms and limits of the properties are checked, and the addresses of an actor are on
 * the origin of its id.
 */

import type { IncomingEmoji, IncomingPolicy } from './note.js'
import type { IncomingImage } from './read-attachment.js'
import type { Uri } from './uri.js'

export const actorKinds = ['Person', 'Service', 'Group', 'Organization', 'Application'] as const
export type ActorKind = (typeof actorKinds)[number]

/** A public key in a document. Parse the `text` of a key with `signatures/keys.ts`. */
export type IncomingKey = {
  readonly id: Uri
  /** Actor id of the owner of the key, as the key states it. */
  readonly owner: Uri
  /** Form of `text`: PEM, for HTTP signatures; multibase (FEP-521a), for HTTP signatures and integrity proofs. */
  readonly form: 'pem' | 'multibase'
  readonly text: string
  /** True if the key id is a fragment of the owner's id, so that the owner's document proves it. */
  readonly inline: boolean
}

export type IncomingActor = {
  readonly uri: Uri
  readonly kind: ActorKind
  readonly username: string
  /**
   * Handle that the actor claims, not proved. The handle may be used only after WebFinger of its domain has confirmed
   * it.
   */
  readonly handle: { readonly username: string; readonly domain: string }
  readonly url: Uri
  readonly name: string
  /** Biography as unsanitised HTML. */
  readonly bio: string
  /** Profile fields: names are plain text, values are unsanitised HTML. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly avatar: IncomingImage | null
  readonly header: IncomingImage | null
  readonly emojis: readonly IncomingEmoji[]
  readonly locked: boolean
  readonly discoverable: boolean
  readonly indexable: boolean
  readonly memorial: boolean
  /** Tabs of the profile that are shown: true unless the document states false. */
  readonly showFeatured: boolean
  readonly showMedia: boolean
  readonly showRepliesInMedia: boolean
  /**
   * True if the actor's own server suspended the actor. A suspended actor must be hidden, but its stored data must be
   * kept.
   */
  readonly suspended: boolean
  readonly published: string | null
  readonly inbox: Uri
  readonly sharedInbox: Uri | null
  readonly outbox: Uri | null
  readonly followers: Uri | null
  readonly following: Uri | null
  readonly featured: Uri | null
  readonly featuredTags: Uri | null
  readonly featuredCollections: Uri | null
  /** Actors that may add this actor to a collection of accounts (FEP-7aa9); null if the document has no such policy. */
  readonly featurePolicy: IncomingPolicy | null
  readonly movedTo: Uri | null
  readonly aliases: readonly Uri[]
  /** Domains whose web pages may name this actor as author. */
  readonly attributionDomains: readonly string[]
  readonly keys: readonly IncomingKey[]
  /** Addresses of keys that the document does not contain. */
  readonly keyUris: readonly Uri[]
}

export type ActorRefusal =
  | 'not-an-object'
  | 'reshaped'
  | 'no-context'
  | 'unsupported-type'
  | 'bad-id'
  | 'no-key'
  | 'bad-username'
  | 'bad-inbox'
