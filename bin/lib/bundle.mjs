/** Programs of ours in few files, which load in half of the time that their sources take. Tests start them hundreds of times. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUnchanged, statesOf } from './whole.mjs'

/** Packages that find files of their own beside their code. */
const NOT_BUNDLED = /^(pino|@node-rs\/)/

/** Sources may use the `require` of packages, which a module lacks. */
const banner = `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`

/**
 * Bundles programs as `NAME.mjs` in a folder, unless the bundles there are fresh.
 * @param {string} root
 * @param {Record<string, string>} programs name → source below root
 * @param {string} folder
 */
export async function bundlePrograms(root, programs, folder) {
  const list = join(folder, 'sources.json')
  if (isUnchanged(root, list)) return
  const { build, stop } = await import('esbuild')
  rmSync(folder, { recursive: true, force: true })
  try {
    const { metafile } = await build({
      entryPoints: programs,
      absWorkingDir: root,
      bundle: true,
      splitting: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      conditions: ['source'],
      external: ['pg-native'],
      plugins: [byPath, atItsPlace(root)],
      banner: { js: banner },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      metafile: true,
      logLevel: 'silent',
    })
    mkdirSync(folder, { recursive: true })
    writeFileSync(list, JSON.stringify(statesOf(root, metafile)))
  } finally {
    await stop()
  }
}

/**
 * Leaves out packages that are loaded on demand: Node gives their CommonJS modules other names than esbuild. Packages outside
 * the bundle are named by their path, because each workspace may have a version of its own.
 */
const byPath = {
  name: 'by path',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      const isOnDemand = kind === 'dynamic-import' && !path.startsWith('@murmuration/')
      if (pluginData === byPath || isBuiltin(path) || !(isOnDemand || NOT_BUNDLED.test(path))) return null
      const found = await build.resolve(path, { kind, resolveDir, pluginData: byPath })
      if (found.errors.length > 0) return { path, external: true }
      return { path: kind.startsWith('require') ? found.path : pathToFileURL(found.path).href, external: true }
    })
  },
}

/** A source finds files by its own address, as it does outside the bundle. */
const atItsPlace = (root) => ({
  name: 'at its place',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(root + sep) || path.includes(`${sep}node_modules${sep}`)) return null
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
})
