/** HTTP routes as values: a method and a path with `:name` parameters. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Path with `:name` parameters, as find-my-way reads them. */
  readonly path: string
  /** When set, answers carry `Deprecation: @<unix seconds of this day>`. */
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
/** PUT and PATCH are interchangeable on update routes, so one call gives both. */
export const put = (path: string, deprecated?: string): Route[] => [
  route('PUT')(path, deprecated),
  route('PATCH')(path, deprecated),
]
