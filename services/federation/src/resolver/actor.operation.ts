/** Handlers that fetch data of remote accounts: actors, keys, followers, featured hashtags, and pages that link to profiles. */

import { type JsonObject, prop, type Ref } from '@murmuration/activitypub/vocabulary/json'
import { type IncomingCollection, readCollection } from '@murmuration/activitypub/vocabulary/read-collection'
import { hashtagsIn } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { hostOf, readUri } from '@murmuration/activitypub/vocabulary/uri'
import {
  fetchActor,
  fetchFeaturedTags,
  fetchFollowers,
  fetchKey,
  fetchLinkBack,
} from '@murmuration/contracts/federation'
import { limits } from '@murmuration/contracts/limits'
import { recordPeer } from '../core/host/peer.store.js'
import { isUnavailable } from '../delivery/index.js'
import { handle } from '../handlers.js'
import { actorByHandle, actorByUri } from './actor.js'
import { readDocument } from './document.js'
import { isLimited, keepMsOf, type Outcome } from './document-fetcher.js'
import { backgroundFetch, fetchContext, untrustedFetch } from './fetch-context.js'
import { readFollowers } from './followers.js'
import { actorByKey } from './key.js'
import { meLinks, namesProfile } from './link-back.rules.js'
import { readPage, redirectOf } from './page.js'

/** Fetches a remote actor by URI or handle. Concurrent calls share a fetch, and failures are cached (`keepMsOf`). */
export const actor = handle(fetchActor, async (ctx, _viewer, input) => {
  const { uri, handle: name, behind: background, fresh, elsewhere } = input
  const host = name === undefined ? hostOf(uri ?? '') : (name.split('@').at(-1) ?? '')
  if (background && host && (await isUnavailable(ctx.db, host))) return { outcome: 'later' as const, actor: null }
  const context = background ? backgroundFetch(ctx) : fetchContext(ctx)
  const work = async () => {
    const found =
      name === undefined ? await actorByUri(context, uri ?? '', elsewhere) : await actorByHandle(context, name)
    if (!found.ok) {
      const { outcome, local } = found
      return {
        outcome: outcome as Outcome,
        actor: null,
        ...(local !== undefined && { local }),
        ...(isLimited(found) && { limited: true }),
      }
    }
    await recordPeer(ctx.db, new URL(found.actor.uri).host)
    return { outcome: 'ok' as const, actor: found.actor }
  }
  const key = name === undefined ? `actor ${uri}${elsewhere ? ' elsewhere' : ''}` : `handle ${name.toLowerCase()}`
  // A temporary failure of a background fetch is not cached, so that an interactive request can try at once.
  return ctx.fetcher.flight.run(
    key,
    work,
    ({ outcome }) => (background && outcome === 'later' ? 0 : keepMsOf(outcome)),
    fresh,
  )
})

/**
 * Fetches a public key and its owner. They are returned only if the key names the owner and the document of the owner
 * lists the key.
 */
export const key = handle(fetchKey, async (ctx, _viewer, { keyId, fresh }) => {
  const work = async () => {
    // A fetch of an unknown key (`fresh` false) has its own rate limit, because any sender may cause it.
    const found = await actorByKey(fresh ? fetchContext(ctx) : untrustedFetch(ctx), keyId)
    return found.ok
      ? { outcome: 'ok' as const, actor: found.actor }
      : { outcome: found.outcome as Outcome, actor: null }
  }
  return ctx.fetcher.flight.run(`key ${keyId}`, work, (it) => keepMsOf(it.outcome), fresh)
})

/** Fetches actor ids that another server lists as followers of its account, and the next page. */
export const followers = handle(fetchFollowers, async (ctx, _viewer, { url }) => {
  const uri = readUri(url)
  if (uri === null) return { outcome: 'refused' as const, uris: [], next: null }
  const found = await readFollowers(fetchContext(ctx), uri)
  return found.ok
    ? { outcome: 'ok' as const, uris: found.uris, next: found.next }
    : { outcome: found.outcome, uris: [], next: null }
})

/** First page of a collection, which may be embedded; null if the items are in the document of the collection. */
const firstPageOf = ({ items, first }: IncomingCollection): Ref | null => {
  if (items.length > 0 || first === null) return null
  const isHere = first.node !== null && ['items', 'orderedItems'].some((name) => prop(first.node as JsonObject, name))
  return isHere ? null : first
}

/** Fetches the collection of hashtags that a remote account features. */
export const featuredTags = handle(fetchFeaturedTags, async (ctx, _viewer, { url }) => {
  const uri = readUri(url)
  if (uri === null) return { outcome: 'refused' as const, names: [] }
  const work = async (): Promise<{ outcome: Outcome; names: string[] }> => {
    const { fetcher } = backgroundFetch(ctx)
    const options = { kind: 'collection', ownHosts: ctx.self.ownHosts } as const
    const found = await readDocument(fetcher, uri, options)
    if (!found.ok) return { outcome: found.outcome, names: [] }
    const root = readCollection(found.document, { origin: uri })
    const page = root && firstPageOf(root)
    // A list of featured hashtags with missing items must not replace the stored list.
    if (root === null || root.incomplete || page?.id === null) return { outcome: 'refused', names: [] }
    const holder = page === null ? found : await readDocument(fetcher, page.id, options)
    if (!holder.ok) return { outcome: holder.outcome, names: [] }
    const names = hashtagsIn(holder.document, limits.accounts.featuredTags)
    return names === null ? { outcome: 'refused', names: [] } : { outcome: 'ok', names }
  }
  // Featured tags are always fetched anew, because an Update shortly after another Update must not get the list of the
  // first Update.
  return ctx.fetcher.flight.run(`featured tags ${url}`, work, (it) => keepMsOf(it.outcome), true)
})

/** Checks whether a page links to a profile with rel="me": by such a link, or by one redirect of its first such link. */
export const linkBack = handle(fetchLinkBack, async (ctx, _viewer, { url, profile }) => {
  const uri = readUri(url)
  if (uri === null || !uri.startsWith('https:')) return { outcome: 'refused' as const, linksBack: false }
  const page = await readPage(ctx, uri)
  if (!page.ok) return { outcome: page.outcome, linksBack: false }
  const links = meLinks(page.html)
  const [first] = links
  const linksBack = namesProfile(links, profile) || (first !== undefined && (await redirectOf(ctx, first)) === profile)
  return { outcome: 'ok' as const, linksBack }
})
