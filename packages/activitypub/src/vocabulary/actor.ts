/** What a foreign actor is, once it was read: shapes and limits checked, ownership of every address on its own origin. */

import type { IncomingEmoji, IncomingPolicy } from './note.js'
import type { IncomingImage } from './read-attachment.js'
import type { Uri } from './uri.js'

export const actorKinds = ['Person', 'Service', 'Group', 'Organization', 'Application'] as const
export type ActorKind = (typeof actorKinds)[number]

/** A public key as a document states it; parse the text with `signatures/keys.ts`. */
export type IncomingKey = {
  readonly id: Uri
  /** The actor that owns it, as stated in it. */
  readonly owner: Uri
  /** PEM for HTTP signatures, multibase (FEP-521a) for those and for object proofs. */
  readonly form: 'pem' | 'multibase'
  readonly text: string
  /** True when it is embedded in the document of its owner. Otherwise fetch it and check that it names the owner. */
  readonly inline: boolean
}

export type IncomingActor = {
  readonly uri: Uri
  readonly kind: ActorKind
  readonly username: string
  /** The handle the actor claims; it counts only after WebFinger on that domain named this actor. */
  readonly handle: { readonly username: string; readonly domain: string }
  readonly url: Uri
  readonly name: string
  /** Raw HTML: sanitise before storing. */
  readonly bio: string
  /** Names are plain text, values raw HTML. */
  readonly fields: readonly { readonly name: string; readonly value: string }[]
  readonly avatar: IncomingImage | null
  readonly header: IncomingImage | null
  readonly emojis: readonly IncomingEmoji[]
  readonly locked: boolean
  readonly discoverable: boolean
  readonly indexable: boolean
  readonly memorial: boolean
  /** Tabs of the profile; shown unless the owner hides them. */
  readonly showFeatured: boolean
  readonly showMedia: boolean
  readonly showRepliesInMedia: boolean
  /** Suspended by its own server: hide it, keep what is stored. */
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
  /** Actors that may put it into a collection of accounts; null when absent. */
  readonly featurePolicy: IncomingPolicy | null
  readonly movedTo: Uri | null
  readonly aliases: readonly Uri[]
  /** Domains whose pages may credit this actor. */
  readonly attributionDomains: readonly string[]
  readonly keys: readonly IncomingKey[]
  /** Keys that the actor only points to. */
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
