/**
 * Bundles a program of this repository into one file, which starts three times as fast as its 200 sources.
 * `bundle.mjs` bundles several programs that share code.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** First line of the bundle. It defines `require`, which CommonJS packages use and ES modules lack. */
const banner = `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`

/** Path of the bundle. It is two folders below the root, like bin/control, so that relative paths in sources stay valid. */
const outputOf = (root, source) => join(root, 'bin/dist', `${basename(source, '.ts')}-bundle.mjs`)

/**
 * Bundles a program into one file, unless the existing bundle is current.
 * @param {string} root
 * @param {string} source below root, such as bin/ctl.ts
 */
export async function bundleToFile(root, source) {
  if (currentBundle(root, source)) return
  const { build, stop } = await import('esbuild')
  const output = outputOf(root, source)
  const draft = `${output}.${process.pid}`
  try {
    const { metafile } = await build({
      entryPoints: [source],
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
      external: ['pg-native'],
      banner: { js: banner },
      outfile: draft,
      metafile: true,
      logLevel: 'silent',
    })
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(`${draft}.json`, JSON.stringify(statesOf(root, metafile)))
    // The list of the sources in the bundle is renamed last. Until then the old list does not match, so the sources are
    // run instead of the bundle.
    renameSync(draft, output)
    renameSync(`${draft}.json`, `${output}.json`)
  } finally {
    rmSync(draft, { force: true })
    await stop()
  }
}

/** Path of the bundle; null if it is missing, or a source file has changed since. */
export function currentBundle(root, source) {
  const output = outputOf(root, source)
  return existsSync(output) && isUnchanged(root, `${output}.json`) ? output : null
}

/**
 * Size and modification time of every source of this repository in the bundle, by path. For npm packages, the result
 * contains the lock file instead of their files.
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 */
export function statesOf(root, metafile) {
  const own = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
  const names = [...own, 'package-lock.json'].filter((path) => existsSync(join(root, path)))
  return Object.fromEntries(names.map((path) => [path, stateOf(join(root, path))]))
}

/** Whether each source file has the size and modification time in the list that `statesOf` wrote. */
export function isUnchanged(root, list) {
  try {
    const states = Object.entries(JSON.parse(readFileSync(list, 'utf8')))
    return states.every(([path, state]) => stateOf(join(root, path)) === state)
  } catch {
    return false
  }
}

function stateOf(file) {
  const { size, mtimeMs } = statSync(file)
  return `${size}:${mtimeMs}`
}
