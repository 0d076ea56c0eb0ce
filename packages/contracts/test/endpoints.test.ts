/** Every endpoint that clients know has an operation here, with the access they expect: the table beside the document we serve. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/openapi.js'

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

/** Callers of the table by their name in the contracts. */
const CALLERS: Record<string, readonly string[]> = {
  public: ['anyone', 'optional'],
  optional: ['optional', 'anyone'],
  // Pages know people by their session.
  user: ['user', 'session'],
  app: ['app'],
  // Applications prove themselves by their secret, in the form or by a header.
  auth: ['optional'],
}

/** The table cannot express the audience of these. */
const SPECIAL: Record<string, string> = {
  // Tokens of applications are told about too.
  'GET /oauth/token/info': 'app',
  // Applications prove themselves by their secret, or by a token.
  'POST /oauth/introspect': 'optional',
  // Callers without the permission get the public list, also without a token.
  'GET /api/v1/admin/trends/links': 'optional',
  'GET /api/v1/admin/trends/statuses': 'optional',
  'GET /api/v1/admin/trends/tags': 'optional',
}

/** These take whatever scope a token has, or the session of a page. */
const UNSCOPED = new Set(['-', 'any', 'session', 'scopes'])

const scopesOf = ({ scopes }: Endpoint): string[] => (UNSCOPED.has(scopes) ? [] : scopes.split('|')).toSorted()

describe('S-001 S-209 the table of endpoints', () => {
  const ours = documented()

  it('has every endpoint among ours', () => {
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
