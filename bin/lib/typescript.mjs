/**
 * Lets Node run our TypeScript, which has erasable types only (`erasableSyntaxOnly` in tsconfig.base.json). Imports name the
 * compiled `.js` files, as the image needs them; here the `.ts` file beside it is meant. Code that Node compiled once is kept.
 */
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
registerHooks({
  resolve(specifier, context, next) {
    const isOurs = specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')
    return next(isOurs ? `${specifier.slice(0, -2)}ts` : specifier, context)
  },
})
