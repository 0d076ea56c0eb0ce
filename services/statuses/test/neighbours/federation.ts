/** Fake of federation's fetch operations: responds with the data of the test's `World`. */
import {
  fetchAuthorization,
  fetchCollection,
  fetchFeaturedTags,
  fetchObject,
  fetchReplies,
} from '@murmuration/contracts/federation'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import type { World } from './world.js'

const { handle } = handlersFor<BaseContext>()

export const federationApp = (world: World): App => ({
  manifest: service('federation', {
    operations: [
      handle(fetchCollection, async (_ctx, _viewer, { url }) => {
        world.asked.push(`collection ${url}`)
        const items = (world.listed.get(url) ?? []).map((uri) => ({ uri, note: null }))
        return {
          outcome: world.listed.has(url) ? ('ok' as const) : ('not-found' as const),
          items,
          pages: 1,
          next: null,
          ...world.unfinished.get(url),
        }
      }),
      handle(fetchReplies, async (_ctx, _viewer, { uri }) => {
        world.asked.push(`replies ${uri}`)
        const there = world.outside.get(uri)
        const note = there && 'authorUri' in there ? there : null
        const outcome =
          note !== null ? ('ok' as const) : world.gone.has(uri) ? ('gone' as const) : ('not-found' as const)
        return { outcome, note, uris: world.listed.get(`${uri}/replies`) ?? [], pages: 1, next: null }
      }),
      handle(fetchFeaturedTags, async (_ctx, _viewer, { url }) => {
        const names = world.featured.get(url)
        return names ? { outcome: 'ok' as const, names } : { outcome: 'not-found' as const, names: [] }
      }),
      handle(fetchAuthorization, async (_ctx, _viewer, { stamp, status, quoted }) => {
        world.asked.push('federation.fetch.stamp')
        if (world.away.has(stamp)) return { outcome: 'later' as const, unfit: false }
        if (world.shut.has(stamp)) return { outcome: 'refused' as const, unfit: false }
        const there = world.stamps.get(stamp)
        if (there === undefined)
          return { outcome: world.gone.has(stamp) ? ('gone' as const) : ('not-found' as const), unfit: false }
        const unfit = there !== `${status} quotes ${quoted}`
        return { outcome: unfit ? ('refused' as const) : ('ok' as const), unfit }
      }),
      handle(fetchObject, async (_ctx, _viewer, { url }) => {
        world.asked.push('federation.fetch.object')
        if (world.away.has(url)) return { outcome: 'later' as const, note: null, actor: null }
        const there = world.outside.get(url)
        return there && 'authorUri' in there
          ? { outcome: 'ok' as const, note: there, actor: null }
          : { outcome: world.gone.has(url) ? ('gone' as const) : ('not-found' as const), note: null, actor: null }
      }),
    ],
    roles: { fetch: { operations: true, ticks: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
