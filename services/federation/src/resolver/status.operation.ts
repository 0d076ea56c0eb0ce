/** Handlers that fetch statuses of other servers: objects, replies, collections, and authorizations of quotes and replies. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchAuthorization, fetchCollection, fetchObject, fetchReplies } from '@murmuration/contracts/federation'
import { handle } from '../handlers.js'
import { verifyAuthorization } from './authorization.js'
import { repliesOf, walk } from './collection.js'
import { failed, isLimited, keepMsOf, type Outcome } from './document-fetcher.js'
import { backgroundFetch, fetchAs, fetchContext } from './fetch-context.js'
import { documentByUrl, noteIn, objectByUrl } from './object.js'

/** Milliseconds for which a fetched object is cached, for several requests that need it at about the same time. */
const FOUND_MS = 15_000

export const object = handle(fetchObject, async (ctx, _viewer, { url, fresh, behind: background, as }) => {
  const work = async () => {
    const context = background ? backgroundFetch(ctx) : fetchContext(ctx)
    const found = await objectByUrl(as === undefined ? context : fetchAs(context, as), url, ctx.clock.now())
    if (found.ok) return { outcome: 'ok' as const, note: found.note, actor: found.actor }
    const { outcome, activity, local } = found
    return {
      outcome: outcome as Outcome,
      note: null,
      actor: null,
      ...(activity && { activity }),
      ...(local !== undefined && { local }),
      ...(isLimited(found) && { limited: true }),
    }
  }
  const keepMs = ({ outcome, local }: { outcome: Outcome; local?: string }) => {
    if (outcome === 'ok' || local !== undefined) return FOUND_MS
    // A temporary failure of a background fetch is not cached, so that an interactive request can try at once.
    return background && outcome === 'later' ? 0 : keepMsOf(outcome)
  }
  // The result of a request that is signed by a local account is not shared with other accounts.
  return ctx.fetcher.flight.run(as === undefined ? `object ${url}` : `object ${url} as ${as}`, work, keepMs, fresh)
})

/** Fetches a status and the replies that its server lists. */
export const replies = handle(fetchReplies, async (ctx, _viewer, { uri, most: max, pages }) => {
  const work = async () => {
    const context = backgroundFetch(ctx)
    const now = ctx.clock.now()
    const document = await documentByUrl(context, uri)
    const found = document.ok ? await noteIn(context, document, now) : document
    const note = found.ok ? found.note : null
    if (!document.ok || note === null)
      return { outcome: (found.ok ? 'refused' : found.outcome) as Outcome, note: null, uris: [], pages: 0, next: null }
    const from = repliesOf(document.document)
    const listed = from ? await walk(context, from, document.uri, { max, pages }, now) : failed('not-found')
    const uris = listed.ok ? listed.items.map((item) => item.uri) : []
    return {
      outcome: 'ok' as const,
      note,
      uris,
      pages: listed.ok ? listed.pages : 0,
      next: listed.ok ? listed.next : null,
    }
  }
  return ctx.fetcher.flight.run(`replies ${max} ${pages} ${uri}`, work, (it) => keepMsOf(it.outcome))
})

/** Fetches the statuses in a collection of another server. */
export const collection = handle(fetchCollection, async (ctx, _viewer, { url, most: max, pages, fresh }) => {
  const uri = readUri(url)
  const work = async () => {
    const read =
      uri === null ? failed('refused') : await walk(backgroundFetch(ctx), { uri }, uri, { max, pages }, ctx.clock.now())
    // A collection without items, of which a page could not be read, does not count as empty.
    const found = read.ok && read.items.length === 0 && read.ended !== null ? read.ended : read
    return found.ok
      ? {
          outcome: 'ok' as const,
          items: found.items,
          pages: found.pages,
          next: found.next,
          partial: found.ended !== null,
        }
      : { outcome: found.outcome as Outcome, items: [], pages: 1, next: null }
  }
  return ctx.fetcher.flight.run(`collection ${max} ${pages} ${url}`, work, (it) => keepMsOf(it.outcome), fresh)
})

/** Fetches the authorization of a quote or reply; `ok` if it is valid for these statuses. */
export const authorization = handle(fetchAuthorization, async (ctx, _viewer, input) => {
  const found = await verifyAuthorization(backgroundFetch(ctx), input)
  return found.ok ? { outcome: 'ok' as const, unfit: false } : { outcome: found.outcome as Outcome, unfit: found.unfit }
})
