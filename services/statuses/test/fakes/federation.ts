/** Fake of federation's fetch operations: responds with the data of the test's `FakeData`. */
import {
  fetchAuthorization,
  fetchCollection,
  fetchFeaturedTags,
  fetchObject,
  fetchReplies,
} from '@murmuration/contracts/federation'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import type { FakeData } from './data.js'

const { handle } = handlersFor<BaseContext>()

export const federationApp = (fakes: FakeData): App => ({
  manifest: service('federation', {
    operations: [
      handle(fetchCollection, async (_ctx, _viewer, { url }) => {
        fakes.asked.push(`collection ${url}`)
        const items = (fakes.listed.get(url) ?? []).map((uri) => ({ uri, note: null }))
        return {
          outcome: fakes.listed.has(url) ? ('ok' as const) : ('not-found' as const),
          items,
          pages: 1,
          next: null,
          ...fakes.unfinished.get(url),
        }
      }),
      handle(fetchReplies, async (_ctx, _viewer, { uri }) => {
        fakes.asked.push(`replies ${uri}`)
        const there = fakes.outside.get(uri)
        const note = there && 'authorUri' in there ? there : null
        const outcome =
          note !== null ? ('ok' as const) : fakes.gone.has(uri) ? ('gone' as const) : ('not-found' as const)
        return { outcome, note, uris: fakes.listed.get(`${uri}/replies`) ?? [], pages: 1, next: null }
      }),
      handle(fetchFeaturedTags, async (_ctx, _viewer, { url }) => {
        const names = fakes.featured.get(url)
        return names ? { outcome: 'ok' as const, names } : { outcome: 'not-found' as const, names: [] }
      }),
      handle(fetchAuthorization, async (_ctx, _viewer, { stamp, status, quoted }) => {
        fakes.asked.push('federation.fetch.stamp')
        if (fakes.away.has(stamp)) return { outcome: 'later' as const, unfit: false }
        if (fakes.refusing.has(stamp)) return { outcome: 'refused' as const, unfit: false }
        const there = fakes.authorizations.get(stamp)
        if (there === undefined)
          return { outcome: fakes.gone.has(stamp) ? ('gone' as const) : ('not-found' as const), unfit: false }
        const unfit = there !== `${status} quotes ${quoted}`
        return { outcome: unfit ? ('refused' as const) : ('ok' as const), unfit }
      }),
      handle(fetchObject, async (_ctx, _viewer, { url }) => {
        fakes.asked.push('federation.fetch.object')
        if (fakes.away.has(url)) return { outcome: 'later' as const, note: null, actor: null }
        if (fakes.limited.has(url)) return { outcome: 'later' as const, note: null, actor: null, limited: true }
        const there = fakes.outside.get(url)
        return there && 'authorUri' in there
          ? { outcome: 'ok' as const, note: there, actor: null }
          : { outcome: fakes.gone.has(url) ? ('gone' as const) : ('not-found' as const), note: null, actor: null }
      }),
    ],
    roles: { fetch: { operations: true, ticks: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
