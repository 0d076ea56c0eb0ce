/** Reads a remote actor by address or handle; one fetch at a time, failures remembered for a while. */
import { fetchActor } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { actorByHandle, actorByUri } from '../../outside/fetch/actor.js'
import { placeOf } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'
import { noteMet } from '../../store/peer.js'

export const actor = handle(fetchActor, async (ctx, _viewer, { uri, handle: name }) => {
  const place = placeOf(ctx)
  const work = async () => {
    const found = name === undefined ? await actorByUri(place, uri ?? '') : await actorByHandle(place, name)
    if (!found.ok) return { outcome: found.outcome as Outcome, actor: null }
    await noteMet(ctx.db, new URL(found.actor.uri).host)
    return { outcome: 'ok' as const, actor: found.actor }
  }
  const key = name === undefined ? `actor ${uri}` : `handle ${name.toLowerCase()}`
  return ctx.reader.flight.run(key, work, (it) => keepMsOf(it.outcome))
})
