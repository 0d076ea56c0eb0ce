/** Handlers that read accounts of other servers: actors, keys, followers, hashtags and links back. */

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
import { noteMet } from '../core/peer.store.js'
import { isUnavailable } from '../delivery/index.js'
import { handle } from '../handlers.js'
import { actorByHandle, actorByUri } from './actor.js'
import { readDocument } from './document.js'
import { readFollowers } from './followers.js'
import { actorByKey } from './key.js'
import { meLinks, namesProfile } from './link-back.rules.js'
import { readPage, redirectOf } from './page.js'
import { placeBehind, placeOf, placeStrange } from './place.js'
import { keepMsOf, type Outcome } from './reader.js'

/** Reads a remote actor by address or handle; one fetch at a time, failures remembered for a while. */
export const actor = handle(fetchActor, async (ctx, _viewer, { uri, handle: name, behind, fresh }) => {
  const host = name === undefined ? hostOf(uri ?? '') : (name.split('@').at(-1) ?? '')
  if (behind && host && (await isUnavailable(ctx.db, host))) return { outcome: 'later' as const, actor: null }
  const place = behind ? placeBehind(ctx) : placeOf(ctx)
  const work = async () => {
    const found = name === undefined ? await actorByUri(place, uri ?? '') : await actorByHandle(place, name)
    if (!found.ok) return { outcome: found.outcome as Outcome, actor: null }
    await noteMet(ctx.db, new URL(found.actor.uri).host)
    return { outcome: 'ok' as const, actor: found.actor }
  }
  const key = name === undefined ? `actor ${uri}` : `handle ${name.toLowerCase()}`
  // A background read that was refused may be repeated by interactive requests.
  return ctx.reader.flight.run(
    key,
    work,
    ({ outcome }) => (behind && outcome === 'later' ? 0 : keepMsOf(outcome)),
    fresh,
  )
})

/** Reads a public key and its owner, proved both ways. */
export const key = handle(fetchKey, async (ctx, _viewer, { keyId, fresh }) => {
  const work = async () => {
    // Only stored keys are refreshed, and each rarely.
    const found = await actorByKey(fresh ? placeOf(ctx) : placeStrange(ctx), keyId)
    return found.ok
      ? { outcome: 'ok' as const, actor: found.actor }
      : { outcome: found.outcome as Outcome, actor: null }
  }
  return ctx.reader.flight.run(`key ${keyId}`, work, (it) => keepMsOf(it.outcome), fresh)
})

/** Fetches the local accounts that another server lists as followers of its account. */
export const followers = handle(fetchFollowers, async (ctx, _viewer, { url }) => {
  const uri = readUri(url)
  if (uri === null) return { outcome: 'refused' as const, uris: [], next: null }
  const found = await readFollowers(placeOf(ctx), uri)
  return found.ok
    ? { outcome: 'ok' as const, uris: found.uris, next: found.next }
    : { outcome: found.outcome, uris: [], next: null }
})

/** Reads the collection of hashtags that a remote account features. */
export const featuredTags = handle(fetchFeaturedTags, async (ctx, _viewer, { url }) => {
  const uri = readUri(url)
  if (uri === null) return { outcome: 'refused' as const, names: [] }
  const work = async (): Promise<{ outcome: Outcome; names: string[] }> => {
    const found = await readDocument(placeBehind(ctx).reader, uri, { kind: 'collection', ownHosts: ctx.self.ownHosts })
    if (!found.ok) return { outcome: found.outcome, names: [] }
    const names = hashtagsIn(found.document, limits.accounts.featuredTags)
    return names === null ? { outcome: 'refused', names: [] } : { outcome: 'ok', names }
  }
  // An Update shortly after another one must not get the list of the first.
  return ctx.reader.flight.run(`featured tags ${url}`, work, (it) => keepMsOf(it.outcome), true)
})

/** Looks whether a page links back to a profile, itself or through one redirect of its first such link. */
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
