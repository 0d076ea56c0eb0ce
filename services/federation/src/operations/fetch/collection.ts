/** Reads statuses out of a collection of another server. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchCollection } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { walk } from '../../outside/fetch/collection.js'
import { placeBehind } from '../../outside/fetch/place.js'
import { failed, keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const collection = handle(fetchCollection, async (ctx, _viewer, { url, most, pages, fresh }) => {
  const uri = readUri(url)
  const work = async () => {
    const found =
      uri === null ? failed('refused') : await walk(placeBehind(ctx), { uri }, uri, { most, pages }, ctx.clock.now())
    return found.ok
      ? { outcome: 'ok' as const, items: found.items, pages: found.pages, next: found.next }
      : { outcome: found.outcome as Outcome, items: [], pages: 1, next: null }
  }
  return ctx.reader.flight.run(`collection ${most} ${pages} ${url}`, work, (it) => keepMsOf(it.outcome), fresh)
})
