/**
 * Lets Node run the TypeScript sources, which have erasable types only (`erasableSyntaxOnly` in tsconfig.base.json). Imports of
 * compiled `.js` files are resolved to the `.ts` files. The compile cache of Node is enabled.
 */
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

/** Results of resolving the imports of workspaces, by import. The result is the same for every importing file. */
const workspaces = new Map()

registerHooks({
  // The resolution is cached, because Node reads every package.json on the path for each import. Without the cache,
  // these reads took half of the start of a process.
  resolve(specifier, context, next) {
    if (specifier.startsWith('.')) {
      const isOurs = specifier.endsWith('.js') && /\.ts(\?|$)/.test(context.parentURL ?? '')
      if (!isOurs) return next(specifier, context)
      const { href } = new URL(`${specifier.slice(0, -2)}ts`, context.parentURL)
      return { url: href, format: 'module-typescript', shortCircuit: true }
    }
    if (!specifier.startsWith('@murmuration/')) return next(specifier, context)
    const known = workspaces.get(specifier)
    if (known) return known
    const { url, format } = next(specifier, context)
    const found = { url, format, shortCircuit: true }
    workspaces.set(specifier, found)
    return found
  },
})
