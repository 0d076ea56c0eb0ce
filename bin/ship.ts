/**
 * Copies the files that the product needs at run time to a folder, for the image: `node bin/dist/ship.js FOLDER`, after a build.
 * npm packages are exactly those of the bill of materials.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Lock, shippedOf } from './lib/shipped.js'

/** Files in bin/dist that only the build of the image uses. They are not copied. */
const OF_THE_BUILD = new Set(['ship.js', 'ship.js.map', 'sbom.js', 'sbom.js.map'])
/** Files and folders of the packages of this repository that the product does not need at run time. */
const OF_THE_SOURCE = new Set(['src', 'test', 'tsconfig.json', 'README.md', '.turbo', 'node_modules'])
/** Matches declarations and source maps of npm packages, which are not needed at run time. */
const declaration = /\.(?:d\.[cm]?ts|map)$/

const [target] = process.argv.slice(2)
if (!target) throw new Error('Usage: node bin/dist/ship.js FOLDER')
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock }
const { ours, all, optional } = shippedOf(packages)

const copy = (path: string, takes: (source: string) => boolean, to = path): void => {
  mkdirSync(dirname(join(target, to)), { recursive: true })
  cpSync(path, join(target, to), { recursive: true, filter: takes })
}

for (const file of ['package.json', 'LICENSE']) copy(file, () => true)
copy('bin/dist', (source) => !OF_THE_BUILD.has(basename(source)), 'bin')
for (const file of ['container-health.mjs', 'first-process.mjs', 'own-source-maps.mjs'])
  copy(`bin/lib/${file}`, () => true, `bin/${file}`)
for (const path of ours) copy(path, (source) => dirname(source) !== path || !OF_THE_SOURCE.has(basename(source)))
// Packages for other platforms are in the lock file, but not installed, so they are skipped. Nested packages have their
// own path in the list.
for (const path of [...all, ...optional].filter(existsSync))
  copy(path, (source) => source === path || (basename(source) !== 'node_modules' && !declaration.test(source)))
for (const path of ours) {
  const link = join(target, 'node_modules/@murmuration', basename(path))
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(relative(dirname(link), join(target, path)), link)
}
