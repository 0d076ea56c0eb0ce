/** What the product is made of: locked dependencies above their floors, and source without the constructs that bite. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sources } from '../../bin/rules/files.js'

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const root = new URL('../../', import.meta.url)
const text = (path: string) => readFile(new URL(path, root), 'utf8')
const lock = JSON.parse(await text('package-lock.json')) as { packages: Record<string, Locked> }
const installed = Object.entries(lock.packages).filter(([path, one]) => path.includes('node_modules/') && !one.link)
/** Versions that the product is made of; what only tests stand on, such as the other server in e2e, is not shipped. */
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
/** Code that runs in production. */
const code = sources('packages/*/src/*.ts', 'services/*/src/*.ts').filter(
  ({ path }) => !path.endsWith('.test.ts') && !path.startsWith('packages/testkit/'),
)
const holding = (pattern: RegExp, allowed: RegExp = /^$/): string[] =>
  code.filter((file) => !allowed.test(file.path) && pattern.test(file.text)).map((file) => file.path)

test('D087 A211 every dependency is locked to its bytes, exact in its version, and installs without scripts', async () => {
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

test('A183 a secret is never compared by ===, which tells by its time how much of it was right', () => {
  // The digest of who follows whom is told to everybody it concerns.
  const digestOfNames = /\/synchronise-followers\.ts$/
  const secret = String.raw`\b\w*(?:[sS]ecret|[dD]igest|[hH]mac|[nN]once|[pP]assword)\b`
  const constant = String.raw`(?!null|undefined|'|\d|typeof)`
  expect(
    holding(
      new RegExp(`${secret} [!=]== ${constant}\\w|[\\w.)] [!=]== (?:\\w+\\.)*${secret}(?! ?[:?(])`),
      digestOfNames,
    ),
  ).toEqual([])
})

test('A195 A197 A198 A199 what has bitten others is not used', () => {
  const bad = ['multer', 'multiparty', 'formidable', 'morgan', 'on-headers', 'request', 'axios', 'node-fetch', 'vm2']
  expect(bad.filter((name) => versionsOf(name).length > 0)).toEqual([])
})

test('A209 JSON-LD is read in one place, with vocabularies of our own', () => {
  const place = 'services/federation/src/signatures/graph-worker.ts'
  expect(holding(/from 'jsonld'|import\('jsonld'\)/)).toEqual([place])
  expect(code.find(({ path }) => path === place)?.text).toMatch(/documentLoader/)
})

/** Packages that the image holds: what the services reach, by the same rule by which Node finds them. */
const shipped = (): { direct: Set<string>; all: Set<string> } => {
  const found = (from: string, name: string): string | undefined => {
    for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
      const path = `${base ? `${base}/` : ''}node_modules/${name}`
      if (lock.packages[path]) return path
      if (!base) return undefined
    }
  }
  const [direct, all] = [new Set<string>(), new Set<string>()]
  const left = Object.keys(lock.packages).filter((path) => /^services\/[^/]+$/.test(path))
  const ours = new Set(left)
  for (let path = left.pop(); path !== undefined; path = left.pop())
    for (const name of Object.keys(lock.packages[path]?.dependencies ?? {})) {
      const at = found(path, name)
      if (at === undefined) continue
      const { link, resolved } = lock.packages[at] as Locked & { resolved?: string }
      const next = link && resolved ? resolved : at
      if (!link && ours.has(path)) direct.add(name)
      if (link ? ours.has(next) : all.has(next)) continue
      if (link) ours.add(next)
      else all.add(next)
      left.push(next)
    }
  return { direct, all }
}

test('D090 what the product is made of stays within the bounds that docs/adr/0008 gives reasons for', async () => {
  const { direct, all } = shipped()
  const reasons = await text('docs/adr/0008-dependencies.md')
  expect([...direct].filter((name) => !reasons.includes(`\`${name}\``))).toEqual([])
  expect(direct.size).toBeLessThanOrEqual(42)
  expect(all.size).toBeLessThanOrEqual(395)
})

test('A106 D058 D092 only the guarded client and the stores reach out', () => {
  const allowed = /^packages\/(?:outbound|blob)\//
  expect(
    holding(
      /(?:await|return|[=(,>])\s*fetch\(|from 'undici'|\b(?:http|https)\.(?:request|get)\(|from 'node:https'/,
      allowed,
    ),
  ).toEqual([])
})

test('D041 A189 D092 no shell, no code from text, no question for every kind of record, no distinct headers', () => {
  expect(holding(/\bshell: true|\bexec(?:Sync)?\(\s*[`'"]|[^.\w]eval\(|new Function\(/)).toEqual([])
  expect(holding(/resolveAny\(|headersDistinct/)).toEqual([])
  expect(holding(/from 'node:child_process'/, /^services\/media\/src\/outside\//)).toEqual([])
})

test('A203 A204 of undici only the agent is used', () => {
  const used = code.flatMap(({ text: all }) =>
    [...all.matchAll(/import (?:type )?\{([^}]*)\} from 'undici'/g)].map((m) => m[1]),
  )
  const names = new Set(used.flatMap((list) => (list ?? '').split(',').map((one) => one.trim())))
  expect([...names].filter((name) => !['Agent', 'Dispatcher', 'buildConnector'].includes(name))).toEqual([])
})
