/** Whether an approval was given by the quoted author for just this quote. */
import { fetchStamp } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { placeBehind } from '../../outside/fetch/place.js'
import type { Outcome } from '../../outside/fetch/reader.js'
import { proveStamp } from '../../outside/fetch/stamp.js'

export const stamp = handle(fetchStamp, async (ctx, _viewer, input) => {
  const found = await proveStamp(placeBehind(ctx), input)
  return found.ok ? { outcome: 'ok' as const, unfit: false } : { outcome: found.outcome as Outcome, unfit: found.unfit }
})
