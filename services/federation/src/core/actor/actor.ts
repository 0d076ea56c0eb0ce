/** Builds the actor documents of local accounts, with their featured hashtags. */

import { type ActorSource, writeActor } from '@murmuration/activitypub/vocabulary/write-actor'
import { accountRecords, type LocalActor } from '@murmuration/contracts/accounts'
import { featuredTagNames } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { emojiSources } from '../note/emoji.view.js'

/** Values of this server that every actor document contains. */
export interface ActorSite {
  readonly handleDomain: string
  readonly sharedInbox: string
}

const picture = (it: LocalActor['avatar']): ActorSource['avatar'] =>
  it === null ? null : { url: it.url, mediaType: it.type, description: it.description || null }

/**
 * Source of an actor document. `movedTo` is the actor id of the account to which the account of the document moved, or
 * null.
 */
export const actorSource = (
  actor: LocalActor,
  context: ActorSite,
  movedTo: string | null,
  featuredTags: ActorSource['featuredTags'],
): ActorSource => ({
  uri: actor.uri,
  kind: actor.bot ? 'Service' : 'Person',
  username: actor.username,
  handleDomain: context.handleDomain,
  url: actor.url,
  sharedInbox: context.sharedInbox,
  publicKeyPem: actor.publicPem,
  ed25519: null,
  publishedAt: actor.created_at,
  locked: actor.locked,
  discoverable: actor.discoverable,
  indexable: actor.indexable,
  memorial: actor.memorial,
  showFeatured: actor.show_featured,
  showMedia: actor.show_media,
  showRepliesInMedia: actor.show_media_replies,
  suspended: actor.suspended,
  displayName: actor.display_name,
  bio: actor.note,
  fields: actor.fields,
  avatar: picture(actor.avatar),
  header: picture(actor.header),
  emojis: emojiSources(actor.emojis, new URL(actor.uri).origin),
  featuredTags,
  movedTo,
  aliases: actor.also_known_as,
  attributionDomains: actor.attribution_domains,
})

/**
 * The current actor document of a local account. Throws if its featured hashtags, or the account to which it moved,
 * cannot be read.
 */
export const actorDocument = async (ctx: Pick<Context, 'call' | 'site' | 'self'>, actor: LocalActor) => {
  const [{ tags }, moved] = await Promise.all([
    ctx.call(featuredTagNames, { account: actor.id }),
    actor.moved_to_id === null ? null : ctx.call(accountRecords, { ids: [actor.moved_to_id] }),
  ])
  const context = { handleDomain: ctx.site.localDomain, sharedInbox: ctx.self.sharedInbox }
  return writeActor(actorSource(actor, context, moved?.records[0]?.uri ?? null, tags))
}
