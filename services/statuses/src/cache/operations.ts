/** Handler that clears caches of rendered entities for staff. */
import { fail } from '@murmuration/contracts/kit'
import { CacheKind, cacheInvalidation, cachesManaged, clearCache } from '@murmuration/contracts/statuses'
import { beginGeneration, GENERATION_MS } from '../core/card/generation.store.js'
import { handle } from '../handlers.js'

const away = (cause: unknown) =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', { cause, retryAfter: 5 })

export const clear = handle(clearCache, async (ctx, viewer, { kinds = [], dry_run }) => {
  const wanted = kinds.length === 0 ? [...CacheKind.options] : [...new Set(kinds)]
  const result = { kinds: wanted, within: GENERATION_MS / 1_000 }
  if (dry_run) return result
  const generation = ctx.ids.next()
  await Promise.all(wanted.map((kind) => beginGeneration(ctx.cache, kind, generation))).catch((error) => {
    throw away(error)
  })
  ctx.invalidations.send(cacheInvalidation, wanted)
  await ctx.db.tx((tx) =>
    ctx.announce(tx, cachesManaged, {
      by: viewer?.id ?? null,
      action: 'clear_caches',
      targetId: null,
      target: wanted.join(', '),
      before: null,
      after: null,
    }),
  )
  return result
})
