/** Routing of paths to surfaces, the same with Ingress and with Gateway API. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { routedOperations } from '@murmuration/contracts/registry'
import { isFederationPath, isServedBy } from '@murmuration/gateway/surface'
import { expect, test } from 'vitest'
import { type AnySpec, lookUp, mark, root } from './rendered.js'

interface Asked {
  host: string
  method: string
  path: string
}
const prefixed = (path: string, prefix: string): boolean =>
  prefix === '/' || path === prefix || path.startsWith(`${prefix}/`)

/** Routing like an Ingress controller: the longest prefix wins, and regular expressions win over prefixes. */
const byIngress = async () => {
  const { of } = await lookUp('small')
  const rules = (of('Ingress')[0]!.spec as AnySpec).rules as AnySpec[]
  return ({ host, path }: Asked): string | undefined => {
    const paths = rules.find((rule) => rule.host === host)?.http.paths ?? []
    const hits = paths.filter((one: AnySpec) =>
      one.pathType === 'Prefix' ? prefixed(path, one.path) : new RegExp(`^${one.path}$`).test(path),
    )
    const weight = (one: AnySpec) => one.path.length + (one.pathType === 'Prefix' ? 0 : 1_000)
    return hits.sort((a: AnySpec, b: AnySpec) => weight(b) - weight(a))[0]?.backend.service.name
  }
}

/** Routing like the Gateway API: the longest prefix first, then rules with a method. */
const byGateway = async () => {
  const { of } = await lookUp('large')
  return ({ host, method, path }: Asked): string | undefined => {
    const routes = of('HTTPRoute').filter((object) => (object.spec as AnySpec).hostnames.includes(host))
    const hits = routes
      .flatMap((route) => (route.spec as AnySpec).rules)
      .flatMap((rule: AnySpec) => rule.matches.map((match: AnySpec) => ({ match, name: rule.backendRefs[0].name })))
      .filter(({ match }) => prefixed(path, match.path.value) && (!match.method || match.method === method))
    const weight = ({ match }: AnySpec) => match.path.value.length * 2 + (match.method ? 1 : 0)
    return hits.sort((a, b) => weight(b) - weight(a))[0]?.name
  }
}

const table: [method: string, path: string, surface: string][] = [
  ['GET', '/', 'gateway-client'],
  ['GET', '/api/v1/timelines/home', 'gateway-client'],
  ['GET', '/@alice', 'gateway-client'],
  ['GET', '/users/alice', 'gateway-federation'],
  ['GET', '/users/alice/followers', 'gateway-federation'],
  ['GET', '/usersguide', 'gateway-client'],
  ['GET', '/actor', 'gateway-federation'],
  ['POST', '/actor/inbox', 'gateway-federation'],
  ['GET', '/apart', 'gateway-client'],
  ['POST', '/oauth/token', 'gateway-client'],
  ['GET', '/api/v1/streaming', 'streaming-ws'],
  ['GET', '/api/v1/streaming/public', 'streaming-ws'],
  ['POST', '/inbox', 'gateway-federation'],
  ['POST', '/users/alice/inbox', 'gateway-federation'],
  ['GET', '/ap/users/1', 'gateway-federation'],
  ['GET', '/.well-known/webfinger', 'gateway-federation'],
  ['GET', '/nodeinfo/2.0', 'gateway-federation'],
]

test.each(table)(`${mark}%s %s goes to %s by Ingress`, async (method, path, surface) => {
  const find = await byIngress()
  expect(find({ host: 'social.example', method, path })).toBe(`murmuration-${surface}`)
})

test.each(table)(`${mark}%s %s goes to %s by Gateway`, async (method, path, surface) => {
  const find = await byGateway()
  expect(find({ host: 'www.social.example', method, path })).toBe(`murmuration-${surface}`)
})

test(`${mark}every route of the contracts goes to the surface that serves it, with Ingress and with Gateway`, async () => {
  const routes = routedOperations().flatMap(({ http }) => http)
  const asked = routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:[a-z_]+/g, '1') }))
  const wanted = asked.map(({ path }) => `murmuration-gateway-${isFederationPath(path) ? 'federation' : 'client'}`)
  const [ingress, gateway] = [await byIngress(), await byGateway()]
  const named = asked.map(({ method, path }) => `${method} ${path}`)
  const where = (find: (one: Asked) => string | undefined, host: string) =>
    Object.fromEntries(asked.map((one, i) => [named[i], find({ host, ...one })]))
  const expected = Object.fromEntries(wanted.map((name, i) => [named[i], name]))
  expect(where(ingress, 'social.example')).toEqual(expected)
  expect(where(gateway, 'www.social.example')).toEqual(expected)
  expect(wanted.filter((name) => name.endsWith('federation')).length).toBeGreaterThan(15)
})

/** Paths of the pages of the gateway, read from the calls of `add` in its sources. */
const pagePaths = async (): Promise<string[]> => {
  const folder = fileURLToPath(new URL('services/gateway/src/pages', root))
  const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8')))
  const found = texts.flatMap((text) =>
    [
      ...text.matchAll(/\.(?:add|page|form)\(\s*(?:'(?:get|post|put|patch|delete)',\s*)?(?:'(\/[^']*)'|([A-Z_]+)\b)/g),
    ].map(([, path, name]) => path ?? new RegExp(`const ${name} = '(/[^']*)'`).exec(text)?.[1] ?? '/'),
  )
  return [...new Set(found)].map((path) => path.replaceAll(/:[a-z_]+|\{[^}]*\}/g, 'alice'))
}

test(`${mark}every page goes to a role that serves it, with Ingress and with Gateway`, async () => {
  const paths = await pagePaths()
  expect(paths).toEqual(expect.arrayContaining(['/', '/@alice', '/users/alice.rss', '/auth/sign_in']))
  expect(paths.length).toBeGreaterThan(40)
  const [ingress, gateway] = [await byIngress(), await byGateway()]
  const unserved = paths.filter((path) =>
    [
      ingress({ host: 'social.example', method: 'GET', path }),
      gateway({ host: 'www.social.example', method: 'GET', path }),
    ]
      .map((name) => name?.replace('murmuration-gateway-', '') ?? '')
      .some((role) => !isServedBy(role, path)),
  )
  expect(unserved).toEqual([])
})

test('a process with both roles of the gateway serves every path, and documents by one role', () => {
  const rolesOf = (path: string) => ['client', 'federation'].filter((role) => isServedBy(role, path))
  expect(rolesOf('/users/alice.rss')).toEqual(['client', 'federation'])
  expect(rolesOf('/users/alice')).toEqual(['federation'])
  expect(rolesOf('/users/alice/inbox')).toEqual(['federation'])
  expect(rolesOf('/@alice')).toEqual(['client'])
})

test(`${mark}the domain of the handles serves discovery only`, async () => {
  const find = await byGateway()
  const request = (path: string) => find({ host: 'social.example', method: 'GET', path })
  expect(request('/.well-known/webfinger')).toBe('murmuration-gateway-federation')
  expect(request('/api/v2/instance')).toBeUndefined()
})
