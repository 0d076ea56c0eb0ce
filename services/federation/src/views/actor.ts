/** Actor documents of people here, from what accounts tells. */
import type { LocalActor } from '@murmuration/contracts/accounts'
import { type ActorSource, writeActor } from '../vocabulary/write-actor.js'

/** What of the server goes into every actor document. */
export interface ActorPlace {
  readonly handleDomain: string
  readonly sharedInbox: string
}

const picture = (it: LocalActor['avatar']): ActorSource['avatar'] =>
  it === null ? null : { url: it.url, mediaType: it.type, description: it.description || null }

/** `movedTo` is the actor id of the account's new home. */
export const actorSource = (actor: LocalActor, place: ActorPlace, movedTo: string | null): ActorSource => ({
  uri: actor.uri,
  kind: actor.bot ? 'Service' : 'Person',
  username: actor.username,
  handleDomain: place.handleDomain,
  url: actor.url,
  sharedInbox: place.sharedInbox,
  publicKeyPem: actor.publicPem,
  ed25519: null,
  publishedAt: actor.created_at,
  locked: actor.locked,
  discoverable: actor.discoverable,
  indexable: actor.indexable,
  memorial: actor.memorial,
  suspended: actor.suspended,
  displayName: actor.display_name,
  bio: actor.note,
  fields: actor.fields,
  avatar: picture(actor.avatar),
  header: picture(actor.header),
  emojis: [],
  featuredTags: [],
  movedTo,
  aliases: actor.also_known_as,
  attributionDomains: actor.attribution_domains,
})

export const actorDocument = (actor: LocalActor, place: ActorPlace, movedTo: string | null) =>
  writeActor(actorSource(actor, place, movedTo))
