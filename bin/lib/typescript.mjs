/**
 * Lets Node run our TypeScript, which has erasable types only (`erasableSyntaxOnly` in tsconfig.base.json). Imports name the
 * compiled `.js` files, as the image needs them; here the `.ts` file beside it is meant. Code that Node compiled once is kept.
 */
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

/** Import of a workspace → what Node found for it, which is the same for every importing file. */
const workspaces = new Map()

registerHooks({
  // Node's own search reads every package.json on the way for each import, which took half of the start of a process.
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
