/** Reads the collection of hashtags that a remote account features. */

import { hashtagsIn } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchFeaturedTags } from '@murmuration/contracts/federation'
import { limits } from '@murmuration/contracts/limits'
import { handle } from '../../doors.js'
import { readDocument } from '../../outside/fetch/document.js'
import { placeBehind } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const featuredTags = handle(fetchFeaturedTags, async (ctx, _viewer, { url }) => {
  const uri = readUri(url)
  if (uri === null) return { outcome: 'refused' as const, names: [] }
  const work = async (): Promise<{ outcome: Outcome; names: string[] }> => {
    const found = await readDocument(placeBehind(ctx).reader, uri, { kind: 'collection', ownHosts: ctx.self.ownHosts })
    if (!found.ok) return { outcome: found.outcome, names: [] }
    const names = hashtagsIn(found.document, limits.accounts.featuredTags)
    return names === null ? { outcome: 'refused', names: [] } : { outcome: 'ok', names }
  }
  // An Update that comes a moment after another one must not get the list of the first.
  return ctx.reader.flight.run(`featured tags ${url}`, work, (it) => keepMsOf(it.outcome), true)
})
