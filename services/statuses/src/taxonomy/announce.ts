/** Announces decisions of staff about hashtags, trends and publishers with the state before and after. */
import type { AuditAction } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { taxonomyManaged } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { lockTaxonomy, type TaxonomyKind, type TaxonomyRow } from './store.js'

/** The state before a decision; null without such a thing. */
export const recordedTaxonomy = lockTaxonomy

/** `by` is null for operators. */
export const announceTaxonomy = async (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  by: Pick<Viewer, 'id'> | null,
  { action, kind, id, before }: { action: AuditAction; kind: TaxonomyKind; id: string; before: TaxonomyRow },
): Promise<void> => {
  const after = await lockTaxonomy(tx, kind, id)
  await ctx.announce(tx, taxonomyManaged, {
    by: by?.id ?? null,
    action,
    targetId: id,
    target: before.target,
    before: before.state,
    after: after?.state ?? null,
  })
}
