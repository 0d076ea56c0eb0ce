/** Undoes decisions of staff about hashtags, trends and publishers, for the audit log. The trends are scored anew. */
import { isId } from '@murmuration/contracts/kit'
import { taxonomyRestore } from '@murmuration/contracts/statuses'
import { restore } from '@murmuration/kernel'
import type { z } from 'zod'
import { scoreTrends } from '../changes/trend.js'
import { handle } from '../doors.js'
import { holdTrends } from '../store/trend.js'
import { kindOf, RECORDED } from './rules.js'
import { lockTaxonomy, storeTaxonomy, type TaxonomyState } from './store.js'

export const restoreTaxonomy = handle(
  taxonomyRestore,
  async (ctx, _viewer, { action, targetId, before, after, dry }) => {
    const kind = kindOf(action)
    if (kind === null || targetId === null || !isId(targetId)) return { outcome: 'not_recorded' as const }
    const schema: z.ZodType<TaxonomyState> = RECORDED[kind]
    const outcome = await ctx.db.tx(async (tx) => {
      await holdTrends(tx)
      const row = await lockTaxonomy(tx, kind, targetId)
      if (row === null) return 'is_deleted' as const
      return restore({ schema, recorded: { before, after }, row: row.state, dry }, async (to) => {
        if (to) await storeTaxonomy(tx, kind, targetId, to)
      })
    })
    if (outcome === 'restored' && !dry) await scoreTrends(ctx)
    return { outcome }
  },
)
