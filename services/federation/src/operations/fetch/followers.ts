/** Reads who of our people another server counts among the followers of somebody there. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchFollowers } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { readFollowers } from '../../outside/fetch/followers.js'
import { placeOf } from '../../outside/fetch/place.js'

export const followers = handle(fetchFollowers, async (ctx, _viewer, { url }) => {
  const uri = readUri(url)
  if (uri === null) return { outcome: 'refused' as const, uris: [], next: null }
  const found = await readFollowers(placeOf(ctx), uri)
  return found.ok
    ? { outcome: 'ok' as const, uris: found.uris, next: found.next }
    : { outcome: found.outcome, uris: [], next: null }
})
