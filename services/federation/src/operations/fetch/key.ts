/** Reads a public key and its owner, proved both ways. */
import { fetchKey } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { actorByKey } from '../../outside/fetch/key.js'
import { placeOf, placeStrange } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const key = handle(fetchKey, async (ctx, _viewer, { keyId, fresh }) => {
  const work = async () => {
    // Only keys that are stored are asked for anew, and each rarely.
    const found = await actorByKey(fresh ? placeOf(ctx) : placeStrange(ctx), keyId)
    return found.ok
      ? { outcome: 'ok' as const, actor: found.actor }
      : { outcome: found.outcome as Outcome, actor: null }
  }
  return ctx.reader.flight.run(`key ${keyId}`, work, (it) => keepMsOf(it.outcome), fresh)
})
