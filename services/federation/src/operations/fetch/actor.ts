/** Reads a remote actor by address or handle; one fetch at a time, failures remembered for a while. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { fetchActor } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { actorByHandle, actorByUri } from '../../outside/fetch/actor.js'
import { placeBehind, placeOf } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'
import { isUnavailable } from '../../store/host.js'
import { noteMet } from '../../store/peer.js'

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
  // What had to stand back may be read by those who wait.
  return ctx.reader.flight.run(
    key,
    work,
    ({ outcome }) => (behind && outcome === 'later' ? 0 : keepMsOf(outcome)),
    fresh,
  )
})
