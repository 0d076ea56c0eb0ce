/** Whether an actor agreed to be in a collection. */
import { fetchFeatureAuthorization } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { proveFeatureAuthorization } from '../../outside/fetch/feature-authorization.js'
import { placeBehind } from '../../outside/fetch/place.js'
import { keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const featureAuthorization = handle(fetchFeatureAuthorization, async (ctx, _viewer, input) => {
  const work = async () => {
    const found = await proveFeatureAuthorization(placeBehind(ctx), input)
    return { outcome: found.ok ? ('ok' as const) : (found.outcome as Outcome) }
  }
  const { authorization, collection, account } = input
  const name = `feature authorization ${authorization} ${collection} ${account}`
  return ctx.reader.flight.run(name, work, ({ outcome }) => (outcome === 'later' ? keepMsOf(outcome) : 0))
})
