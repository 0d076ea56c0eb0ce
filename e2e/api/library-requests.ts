/** Requests that the client library sends, compared with the table of endpoints. */
import { readFileSync } from 'node:fs'

const TABLE = new URL('../../packages/contracts/test/fixtures/client-endpoints.tsv', import.meta.url)

interface Endpoint {
  name: string
  method: string
  pattern: RegExp
}

/** Endpoints of the table below a path. Ids in their paths are digits. */
const endpointsBelow = (path: RegExp): Endpoint[] =>
  readFileSync(TABLE, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([, route = '']) => path.test(route))
    .map(([method = '', route = '']) => ({
      name: `${method} ${route}`,
      method,
      pattern: new RegExp(`^${route.replace(/\{\w+\}/g, '\\d+')}$`),
    }))

export interface LibraryRequests {
  /** Endpoints below this path that answered no request of the library with success. */
  missing(path: RegExp): string[]
  stop(): void
}

/** Records successful requests. The library passes a `Request` to `fetch`; other callers in tests pass an address. */
export const recordLibraryRequests = (): LibraryRequests => {
  const original = globalThis.fetch
  const done = new Set<string>()
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    if (input instanceof Request && response.ok) done.add(`${input.method} ${new URL(input.url).pathname}`)
    return response
  }
  const isDone = ({ method, pattern }: Endpoint): boolean =>
    [...done].some((one) => one.startsWith(`${method} `) && pattern.test(one.slice(method.length + 1)))
  return {
    missing: (path) =>
      endpointsBelow(path)
        .filter((one) => !isDone(one))
        .map((one) => one.name),
    stop: () => {
      globalThis.fetch = original
    },
  }
}
