/**
 * Handler that undoes decisions of staff about hashtags, trends and publishers, for the audit log. Trends are scored
 * again.
 */
import type { RestoreOutcome } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { restoreTaxonomy } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { restorationOf, stateIn } from '@murmuration/kernel'
import type { z } from 'zod'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import {
  announceUnusable,
  kindOf,
  lockTaxonomies,
  RECORDED,
  storeTaxonomies,
  type TaxonomyKind,
  type TaxonomyState,
} from '../taxonomy/index.js'
import { lockTrends, scoreTrends } from '../trend/index.js'

type Entry = z.output<(typeof restoreTaxonomy)['input']>['entries'][number]

/**
 * Undoes recorded decisions about different items of one kind. Returns each entry of the audit log with its outcome.
 */
const restoreKind = async (
  tx: Tx,
  kind: TaxonomyKind,
  entries: readonly Entry[],
  dry: boolean,
): Promise<[Entry, RestoreOutcome][]> => {
  const schema: z.ZodType<TaxonomyState> = RECORDED[kind]
  const ids = entries.flatMap(({ targetId }) => targetId ?? [])
  const rows = new Map((await lockTaxonomies(tx, kind, ids)).map((row) => [row.id, row.state]))
  const changes: { id: string; state: TaxonomyState }[] = []
  const outcomes = entries.map((entry): [Entry, RestoreOutcome] => {
    const id = entry.targetId ?? ''
    const row = rows.get(id)
    if (row === undefined) return [entry, 'is_deleted']
    const { before, after } = entry
    const restoration = restorationOf(schema, { before, after }, stateIn(schema, row))
    if (typeof restoration === 'string') return [entry, restoration]
    if (restoration.to) changes.push({ id, state: restoration.to })
    return [entry, 'restored']
  })
  if (!dry && changes.length > 0) await storeTaxonomies(tx, kind, changes)
  return outcomes
}

const restoreAll = async (ctx: Context, entries: readonly Entry[], dry: boolean): Promise<RestoreOutcome[]> => {
  const known = entries.filter(({ action, targetId }) => kindOf(action) !== null && targetId !== null && isId(targetId))
  const kinds = Map.groupBy(known, ({ action }) => kindOf(action))
  const outcomes = new Map(
    await ctx.db.tx(async (tx) => {
      await lockTrends(tx)
      const found = await Promise.all([...kinds].map(([kind, own]) => (kind ? restoreKind(tx, kind, own, dry) : [])))
      const outcomes = found.flat()
      if (!dry && outcomes.some(([{ action }, outcome]) => kindOf(action) === 'tag' && outcome === 'restored'))
        await announceUnusable(ctx, tx)
      return outcomes
    }),
  )
  if (!dry && [...outcomes.values()].includes('restored')) await scoreTrends(ctx)
  return entries.map((entry) => outcomes.get(entry) ?? 'not_recorded')
}

export const restoreTaxonomies = handle(restoreTaxonomy, async (ctx, _viewer, { entries, dry }) => ({
  outcomes: await restoreAll(ctx, entries, dry),
}))
