/**
 * Bundles programs of this repository into few files, because tests start the programs hundreds of times. A bundle
 * loads twice as fast as its sources.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUnchanged, statesOf } from './single-file-bundle.mjs'

/** Packages that read files next to their own code, and therefore cannot be bundled. */
const NOT_BUNDLED = /^(pino|@node-rs\/)/

/** First line of each bundle. It defines `require`, which CommonJS packages use and ES modules lack. */
const banner = `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`

/**
 * Bundles programs as `NAME.mjs` in a folder, unless the existing bundles are current.
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
      plugins: [byPath, besideItsPackage(root)],
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
 * esbuild plugin that does not bundle packages that are imported dynamically, because Node and esbuild name the exports
 * of CommonJS packages differently. They are imported by path, because each workspace may have another version.
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

/** esbuild plugin that sets `import.meta.url` to the URL of the source file, because sources find other files relative to it. */
const besideItsPackage = (root) => ({
  name: 'at its place',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(root + sep) || path.includes(`${sep}node_modules${sep}`)) return null
      const text = await readFile(path, 'utf8')
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
})
