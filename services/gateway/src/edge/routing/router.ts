/** Router of all operations (radix tree of find-my-way). */
import { showActor, showFollowers, showFollowing, showNote } from '@murmuration/contracts/federation'
import { type AnyOperation, get, type Method, type Route } from '@murmuration/contracts/kit'
import { bucketsFor, rateLimits } from '@murmuration/contracts/rate-limits'
import { PROFILE_PARTS } from '@murmuration/text/profile-part'
import router from 'find-my-way'
import type { Served } from '../exchange.js'
import { routeHeaders } from '../response/headers.js'

export interface Found {
  readonly served: Served
  readonly params: Readonly<Record<string, string | undefined>>
  /** True if a page has the same path. Then only requests for activity JSON use this route. */
  readonly negotiated: boolean
}
export interface Router {
  find(method: string, path: string): Found | null
}

/** Pages below a profile that show a collection. The others show the account. */
const COLLECTIONS: ReadonlyMap<string, AnyOperation> = new Map([
  ['followers', showFollowers],
  ['following', showFollowing],
])

/** Paths of pages that also serve activity JSON. */
const NEGOTIATED: readonly [string, AnyOperation][] = [
  ['/@:username', showActor],
  ...PROFILE_PARTS.map((part): [string, AnyOperation] => [`/@:username/${part}`, COLLECTIONS.get(part) ?? showActor]),
  ['/@:username/:status', showNote],
]

/** Matches paths that other software could read as a different path: with `..`, `//` or escaped separators (A175). */
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|%2f|%5c|%00|\/(?:\.|%2e){1,2}(?:\/|$)|\\/i

/** Matches the paths of RSS feeds. The handlers of pages serve them for any Accept header. */
const FEED = /^\/(?:@|users\/).*\.rss\/?$/

export const createRouter = (
  operations: readonly AnyOperation[],
  given: { https: boolean; membersOnly: boolean },
): Router => {
  const routes = router({
    ignoreTrailingSlash: true,
    maxParamLength: 2_048,
    caseSensitive: true,
  })
  const add = (operation: AnyOperation, route: Route, negotiated: boolean) => {
    const served: Served = {
      operation,
      route,
      headers: routeHeaders(operation, route, given),
      buckets: {
        plain: bucketsFor(rateLimits.requests, route.method, route.path),
        paging: bucketsFor(rateLimits.requests, route.method, route.path, ['max_id']),
      },
    }
    const methods: ('HEAD' | Method)[] = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]
    routes.on(methods, route.path, () => undefined, { served, negotiated })
  }
  for (const operation of operations) for (const route of operation.http) add(operation, route, false)
  for (const [path, operation] of NEGOTIATED) add(operation, get(path), true)
  return {
    find(method, path) {
      if (AMBIGUOUS.test(path) || FEED.test(path)) return null
      const found = routes.find(method as Method, path)
      if (!found) return null
      const { served, negotiated } = found.store as { served: Served; negotiated: boolean }
      return { served, negotiated, params: found.params }
    },
  }
}
