/** A program of ours in one file, which starts in a third of the time that its two hundred sources take. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Sources may name packages' own `require`, which a module has not by itself. */
const banner = `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`

/** Two folders below the root, as bin/control is: paths that sources make from their own place stay right. */
const outputOf = (root, source) => join(root, 'bin/dist', `${basename(source, '.ts')}-whole.mjs`)

/**
 * Writes the program as one file, unless the one that is there is fresh.
 * @param {string} root
 * @param {string} source below root, such as bin/ctl.ts
 */
export async function makeWhole(root, source) {
  if (freshWhole(root, source)) return
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
    // The list comes last: without it, or with an older one, the sources are run.
    renameSync(draft, output)
    renameSync(`${draft}.json`, `${output}.json`)
  } finally {
    rmSync(draft, { force: true })
    await stop()
  }
}

/** The file that holds the whole program, or null when there is none or a source has changed since. */
export function freshWhole(root, source) {
  const output = outputOf(root, source)
  return existsSync(output) && isUnchanged(root, `${output}.json`) ? output : null
}

/**
 * Source → its size and time, for every source of ours that esbuild read. For packages, the lockfile is enough.
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 */
export function statesOf(root, metafile) {
  const own = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
  const names = [...own, 'package-lock.json'].filter((path) => existsSync(join(root, path)))
  return Object.fromEntries(names.map((path) => [path, stateOf(join(root, path))]))
}

/** True when each source has the state that the list of `statesOf` in this file names. */
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
