/** Reads whatever an address denotes: a status or an actor, also through its page. */
import { fetchObject } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { objectByUrl } from '../../outside/fetch/object.js'
import { placeAs, placeBehind, placeOf } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

/** Those who ask a moment later, as for the thread of a status that was just boosted, share what was found. */
const FOUND_MS = 15_000

export const object = handle(fetchObject, async (ctx, _viewer, { url, fresh, behind, as }) => {
  const work = async () => {
    const place = behind ? placeBehind(ctx) : placeOf(ctx)
    const found = await objectByUrl(as === undefined ? place : placeAs(place, as), url, ctx.clock.now())
    return found.ok
      ? { outcome: 'ok' as const, note: found.note, actor: found.actor }
      : { outcome: found.outcome as Outcome, note: null, actor: null }
  }
  const keepMs = ({ outcome }: { outcome: Outcome }) => {
    if (outcome === 'ok') return FOUND_MS
    // What had to stand back may be read by those who wait.
    return behind && outcome === 'later' ? 0 : keepMsOf(outcome)
  }
  // What somebody in particular was shown is for nobody else who asks.
  return ctx.reader.flight.run(as === undefined ? `object ${url}` : `object ${url} as ${as}`, work, keepMs, fresh)
})
