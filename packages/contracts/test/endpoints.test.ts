/** Every endpoint of the upstream API has an operation with the same access: compares the table with the OpenAPI document. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/openapi.js'
import { routedOperations } from '../src/registry.js'

interface Endpoint {
  method: string
  path: string
  auth: string
  scopes: string
}
interface Documented {
  'x-auth': string
  'x-scopes': string[]
}

const table: Endpoint[] = readFileSync(new URL('./fixtures/client-endpoints.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [method = '', path = '', auth = '', scopes = ''] = line.split('\t')
    return { method, path, auth, scopes }
  })

const nameless = (path: string): string => path.replace(/\{\w+\}/g, '{}')

const documented = (): Map<string, Documented> => {
  const { paths } = openApiDocument({ origin: 'https://social.example' }) as {
    paths: Record<string, Record<string, Documented>>
  }
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Documented] => [
        `${method.toUpperCase()} ${nameless(path)}`,
        operation,
      ]),
    ),
  )
}

/** Kinds of callers in the table, and their names in the contracts. */
const CALLERS: Record<string, readonly string[]> = {
  public: ['anyone', 'optional'],
  optional: ['optional', 'anyone'],
  // Pages are authenticated by the session.
  user: ['user', 'session'],
  app: ['app'],
  // Applications are authenticated by their secret, in the form or in a header.
  auth: ['optional'],
}

/** Operations whose audience the table cannot express. */
const SPECIAL: Record<string, string> = {
  // Application tokens are accepted too.
  'GET /oauth/token/info': 'app',
  // Applications are authenticated by their secret or a token.
  'POST /oauth/introspect': 'optional',
  // Callers without the permission get the public list, also without a token.
  'GET /api/v1/admin/trends/links': 'optional',
  'GET /api/v1/admin/trends/statuses': 'optional',
  'GET /api/v1/admin/trends/tags': 'optional',
}

/** Operations that accept a token with any scope, or the session of a page. */
const UNSCOPED = new Set(['-', 'any', 'session', 'scopes'])

const scopesOf = ({ scopes }: Endpoint): string[] => (UNSCOPED.has(scopes) ? [] : scopes.split('|')).toSorted()

describe('S-001 S-174 S-177 S-209 the table of endpoints', () => {
  const ours = documented()

  it('contains only endpoints that have an operation', () => {
    expect(table).toHaveLength(341)
    const missing = table.filter(({ method, path }) => !ours.has(`${method} ${nameless(path)}`))
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it.each(table.filter(({ method, path }) => ours.has(`${method} ${nameless(path)}`)))(
    '$method $path is for the right callers',
    (endpoint) => {
      const found = ours.get(`${endpoint.method} ${nameless(endpoint.path)}`)
      const name = `${endpoint.method} ${endpoint.path}`
      expect(SPECIAL[name] ? [SPECIAL[name]] : CALLERS[endpoint.auth]).toContain(found?.['x-auth'])
      if (found?.['x-auth'] !== 'anyone' && endpoint.scopes !== 'session')
        expect([...(found?.['x-scopes'] ?? [])].toSorted()).toEqual(scopesOf(endpoint))
    },
  )
})

it('S-156 every DELETE below the admin paths of the client API returns an empty object', () => {
  const deletions = routedOperations().filter(({ http }) =>
    http.some(({ method, path }) => method === 'DELETE' && /^\/api\/v\d\/admin\//.test(path)),
  )
  expect(deletions).toHaveLength(6)
  for (const { name, output } of deletions)
    expect([name, output.kind === 'json' && output.schema.parse({ id: '1' })]).toEqual([name, {}])
})
