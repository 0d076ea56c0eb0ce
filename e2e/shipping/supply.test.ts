/** Supply chain: locked dependencies at or above minimum versions, and sources without dangerous constructs. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { expect, test } from 'vitest'
import { type Lock, shippedOf } from '../../bin/lib/shipped.js'
import { sources } from '../../bin/rules/files.js'

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFile(new URL(path, root), 'utf8')
const lock = JSON.parse(await text('package-lock.json')) as { packages: Lock }
const installed = Object.entries(lock.packages).filter(([path, one]) => path.includes('node_modules/') && !one.link)
/** Installed versions of a package in the product. Packages of tests only, such as the other server in e2e, are left out. */
const versionsOf = (name: string): string[] =>
  installed
    .filter(([path, one]) => !one.dev && path.endsWith(`node_modules/${name}`))
    .map(([, one]) => one.version ?? '')
const numbers = (version: string) => version.split('.').map(Number)
const isAtLeast = (version: string, floor: string): boolean => {
  const [a, b] = [numbers(version), numbers(floor)]
  const at = a.findIndex((n, i) => n !== b[i])
  return at < 0 || (a[at] ?? 0) > (b[at] ?? 0)
}
/** Sources that run in production. */
const code = sources('packages/*/src/*.ts', 'services/*/src/*.ts').filter(
  ({ path }) => !path.endsWith('.test.ts') && !path.startsWith('packages/testkit/'),
)
const holding = (pattern: RegExp, allowed: RegExp = /^$/): string[] =>
  code.filter((file) => !allowed.test(file.path) && pattern.test(file.text)).map((file) => file.path)

test('D087 A211 every dependency has an integrity hash and an exact version, and is installed without scripts', async () => {
  expect(installed.filter(([, one]) => !one.integrity).map(([path]) => path)).toEqual([])
  const loose = Object.entries(lock.packages)
    .filter(([path]) => !path.includes('node_modules/'))
    .flatMap(([path, { dependencies, devDependencies }]) =>
      Object.entries({ ...dependencies, ...devDependencies })
        .filter(([name, version]) => !name.startsWith('@murmuration/') && !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
        .map(([name]) => `${path}: ${name}`),
    )
  expect(loose).toEqual([])
  expect(await text('.npmrc')).toContain('ignore-scripts=true')
  expect(await text('Dockerfile')).toMatch(/npm ci[^\n]*--ignore-scripts/)
})

test.each([
  ['undici', '8.12.4'],
  ['ws', '8.21.1'],
  ['sharp', '0.35.4'],
  ['express', '5.3.0'],
])('D091 A161 A186 A205 A206 A207 %s is %s or newer', (name, floor) => {
  const versions = versionsOf(name)
  expect(versions.length).toBeGreaterThan(0)
  expect(versions.filter((version) => !isAtLeast(version, floor))).toEqual([])
})

test('A183 no secret is compared with ===, whose duration depends on the number of equal characters', () => {
  // Excluded: digests of activities and of follower lists are no secrets, because their senders know them.
  const publicDigests = /\/(?:synchronise-followers\.job|state-input\.rules)\.ts$/
  const secret = String.raw`\b\w*(?:[sS]ecret|[dD]igest|[hH]mac|[nN]once|[pP]assword)\b`
  const constant = String.raw`(?!null|undefined|'|\d|typeof)`
  expect(
    holding(
      new RegExp(`${secret} [!=]== ${constant}\\w|[\\w.)] [!=]== (?:\\w+\\.)*${secret}(?! ?[:?(])`),
      publicDigests,
    ),
  ).toEqual([])
})

test('A195 A197 A198 A199 dangerous libraries and functions are not used', () => {
  const bad = ['multer', 'multiparty', 'formidable', 'morgan', 'on-headers', 'request', 'axios', 'node-fetch', 'vm2']
  expect(bad.filter((name) => versionsOf(name).length > 0)).toEqual([])
})

test('A209 JSON-LD is processed in one module, with local vocabularies', () => {
  const place = 'packages/activitypub/src/signatures/graph-worker.ts'
  expect(holding(/from 'jsonld'|import\('jsonld'\)/)).toEqual([place])
  expect(code.find(({ path }) => path === place)?.text).toMatch(/documentLoader/)
})

test('D089 the bill of materials lists every package of the image with its integrity hash', async () => {
  const recipe = await text('Dockerfile')
  expect(recipe).toMatch(/node bin\/dist\/sbom\.js > \/app\/sbom\.cdx\.json/)
  const { stdout } = await promisify(execFile)(process.execPath, [...SOURCE_ARGS, 'bin/sbom.ts'], {
    cwd: root,
    maxBuffer: 1e8,
  })
  const list = JSON.parse(stdout) as {
    bomFormat: string
    components: { name: string; version: string; purl: string; hashes: { alg: string; content: string }[] }[]
  }
  expect(list.bomFormat).toBe('CycloneDX')
  const inImage = [...shippedOf(lock.packages).all].map(
    (path) => `${path.replace(/^.*node_modules\//, '')}@${lock.packages[path]?.version}`,
  )
  const listed = new Set(list.components.map((one) => `${one.name}@${one.version}`))
  expect(inImage.filter((one) => !listed.has(one))).toEqual([])
  expect(list.components.filter((one) => !one.hashes[0]?.content)).toEqual([])
  // No development dependency is listed.
  expect(
    ['vitest', '@biomejs/biome', 'masto'].filter((name) => list.components.some((one) => one.name === name)),
  ).toEqual([])
  const sharp = list.components.find((one) => one.name === 'sharp')
  const bytes = Buffer.from(lock.packages['node_modules/sharp']?.integrity?.slice('sha512-'.length) ?? '', 'base64')
  expect(sharp?.hashes).toEqual([{ alg: 'SHA-512', content: bytes.toString('hex') }])
})

test('D090 the number and size of dependencies is within the limits of docs/adr/0008', async () => {
  const { direct, all } = shippedOf(lock.packages)
  const reasons = await text('docs/adr/0008-dependencies.md')
  expect([...direct].filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
  expect(direct.size).toBeLessThanOrEqual(48)
  expect(all.size).toBeLessThanOrEqual(399)
})

test('A106 D058 D092 only the guarded HTTP client and the clients of stores open connections', () => {
  const allowed = /^packages\/(?:outbound|blob)\//
  expect(
    holding(
      /(?:await|return|[=(,>])\s*fetch\(|from 'undici'|\b(?:http|https)\.(?:request|get)\(|from 'node:https'/,
      allowed,
    ),
  ).toEqual([])
})

test('D041 A189 D092 no shell, no code from text, no DNS query of type ANY, no distinct headers', () => {
  expect(holding(/\bshell: true|\bexec(?:Sync)?\(\s*[`'"]|[^.\w]eval\(|new Function\(/)).toEqual([])
  expect(holding(/resolveAny\(|headersDistinct/)).toEqual([])
  expect(holding(/from 'node:child_process'/, /^services\/media\/src\/core\/process\/(?:child|decoders)\.ts$/)).toEqual(
    [],
  )
})

test('A203 A204 only the agent of undici is used', () => {
  const used = code.flatMap(({ text: all }) =>
    [...all.matchAll(/import (?:type )?\{([^}]*)\} from 'undici'/g)].map((m) => m[1]),
  )
  const names = new Set(used.flatMap((list) => (list ?? '').split(',').map((one) => one.trim())))
  expect([...names].filter((name) => !['Agent', 'Dispatcher', 'buildConnector'].includes(name))).toEqual([])
})
