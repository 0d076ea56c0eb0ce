/** The reading half of federation, answering from the test's world. */
import { fetchFeaturedTags, fetchObject, fetchStamp } from '@murmuration/contracts/federation'
import { type App, type BaseContext, doors, service } from '@murmuration/kernel'
import type { World } from './world.js'

const { handle } = doors<BaseContext>()

export const federationApp = (world: World): App => ({
  manifest: service('federation', {
    operations: [
      handle(fetchFeaturedTags, async (_ctx, _viewer, { url }) => {
        const names = world.featured.get(url)
        return names ? { outcome: 'ok' as const, names } : { outcome: 'not-found' as const, names: [] }
      }),
      handle(fetchStamp, async (_ctx, _viewer, { stamp, status, quoted }) => {
        world.asked.push('federation.fetch.stamp')
        return {
          outcome: world.stamps.get(stamp) === `${status} quotes ${quoted}` ? ('ok' as const) : ('refused' as const),
        }
      }),
      handle(fetchObject, async (_ctx, _viewer, { url }) => {
        world.asked.push('federation.fetch.object')
        const there = world.outside.get(url)
        return there && 'authorUri' in there
          ? { outcome: 'ok' as const, note: there, actor: null }
          : { outcome: 'not-found' as const, note: null, actor: null }
      }),
    ],
    roles: { fetch: { operations: true, ticks: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
