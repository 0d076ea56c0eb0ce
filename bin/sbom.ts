/** Prints the bill of materials of the image as CycloneDX, from the lock file with its digests: `node … bin/sbom.ts`. */
import { readFileSync } from 'node:fs'
import { type Lock, shippedOf } from './lib/shipped.js'

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
const { name, version, license } = read('package.json') as Record<string, string>
const lock = read('package-lock.json').packages as Lock
const { all, optional } = shippedOf(lock)

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const addressOf = (path: string): string =>
  `pkg:npm/${nameOf(path).replace('@', '%40')}@${encodeURIComponent(lock[path]?.version ?? '')}`

/** Converts the digest in an `integrity` value such as `sha512-BASE64` to the form that CycloneDX requires. */
const digestOf = (integrity = '') => {
  const [, kind, digest] = /^sha(\d+)-(.+)$/.exec(integrity) ?? []
  return digest ? [{ alg: `SHA-${kind}`, content: Buffer.from(digest, 'base64').toString('hex') }] : []
}

const component = (path: string) => ({
  type: 'library',
  'bom-ref': addressOf(path),
  name: nameOf(path),
  version: lock[path]?.version,
  scope: optional.has(path) ? 'optional' : 'required',
  hashes: digestOf(lock[path]?.integrity),
  licenses: lock[path]?.license ? [{ expression: lock[path]?.license }] : [],
  purl: addressOf(path),
})

/** Paths in the lock file by package URL. A package with several paths is thus listed once. */
const places = new Map([...optional, ...all].map((path) => [addressOf(path), path]))
const components = [...places.values()].map(component).sort((a, b) => (a.purl < b.purl ? -1 : 1))
const metadata = {
  component: {
    type: 'application',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    licenses: [{ expression: license }],
  },
}
process.stdout.write(
  `${JSON.stringify({ $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }, null, 1)}\n`,
)
