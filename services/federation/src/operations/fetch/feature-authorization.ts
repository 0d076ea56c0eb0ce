/** Whether an actor agreed to be in a collection. */
import { fetchFeatureAuthorization } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { proveFeatureAuthorization } from '../../outside/fetch/feature-authorization.js'
import { placeBehind } from '../../outside/fetch/place.js'
import type { Outcome } from '../../outside/fetch/reader.js'

export const featureAuthorization = handle(fetchFeatureAuthorization, async (ctx, _viewer, input) => {
  const found = await proveFeatureAuthorization(placeBehind(ctx), input)
  return { outcome: found.ok ? ('ok' as const) : (found.outcome as Outcome) }
})
