/** All routes with their authorization and limits, as JSON for tests (D045). */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { bodyCap, MAX_FILE } from '../input/body-size.js'

export interface RouteRow {
  method: string
  path: string
  operation: string
  /** Kind of callers that the route permits: `user`, `optional`, `app` or `anyone`. */
  auth: string
  scopes: readonly string[]
  /** Permission that the role of the viewer needs; null if the route requires none. */
  permission: string | null
  /** States of accounts that may use the route, besides `ok`. */
  even_if: readonly string[]
  /** Service that owns the data of the route. It authorizes the access to single objects, with the viewer in its queries. */
  owner: string
  class: string
  cache: string
  /** `body_cap`: maximum number of bytes of the body without files; null for GET. */
  body_cap: number | null
  /** `file_cap`: maximum number of bytes of one file; null if the operation accepts none. */
  file_cap: number | null
  /** Day since which the route is deprecated, such as `2022-11-14`; null if it is not deprecated. */
  deprecated: string | null
}

export const routeTable = (operations: readonly AnyOperation[]): RouteRow[] =>
  operations.flatMap((operation) =>
    operation.http.map((route) => ({
      method: route.method,
      path: route.path,
      operation: operation.name,
      auth: operation.viewer.kind,
      scopes: operation.viewer.scopes,
      permission: operation.viewer.permission ?? null,
      even_if: operation.viewer.evenIf ?? [],
      owner: operation.service,
      class: operation.class,
      cache: operation.cache,
      body_cap: route.method === 'GET' ? null : bodyCap(operation),
      file_cap: operation.files.length > 0 ? MAX_FILE : null,
      deprecated: route.deprecated ?? null,
    })),
  )
