/** HTTP routes as values: a method, and a path with `:name` parameters. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Path with `:name` parameters, in the syntax of find-my-way. */
  readonly path: string
  /**
   * Day (`YYYY-MM-DD`) since which the route is deprecated. Its responses then have the header `Deprecation: @<Unix
   * seconds of this day>`.
   */
  readonly deprecated?: string
}

const route =
  (method: Method) =>
  (path: string, deprecated?: string): Route =>
    deprecated ? { method, path, deprecated } : { method, path }

export const get = route('GET')
export const post = route('POST')
export const patch = route('PATCH')
export const del = route('DELETE')
/** Declares routes for both PUT and PATCH, because clients use either for updates. */
export const put = (path: string, deprecated?: string): Route[] => [
  route('PUT')(path, deprecated),
  route('PATCH')(path, deprecated),
]
