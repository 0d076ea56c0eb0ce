/** Announces decisions of staff about hashtags, trends and publishers, with the state before and after. */
import type { AuditAction } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { taxonomyManaged } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { lockTaxonomies, lockTaxonomy, type TaxonomyKind, type TaxonomyRow } from './store.js'

/** State of a hashtag, link, status or publisher before a decision; null if it is unknown. */
export const recordedTaxonomy = lockTaxonomy

interface Decision {
  action: AuditAction
  kind: TaxonomyKind
  /** State of the items before the decision. */
  before: readonly TaxonomyRow[]
  /** Bulk action that the decision is part of, and the reason that staff gave. */
  batchId?: string
  reason?: string | null
}

/** Announces one decision of staff about several items. `by`: id of the staff account; null for operators. */
export const announceTaxonomies = async (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  by: Pick<Viewer, 'id'> | null,
  { action, kind, before, batchId, reason }: Decision,
): Promise<void> => {
  const ids = before.map((row) => row.id)
  const after = new Map((await lockTaxonomies(tx, kind, ids)).map((row) => [row.id, row.state]))
  await ctx.announce(
    tx,
    taxonomyManaged,
    ...before.map(({ id, target, state }) => ({
      by: by?.id ?? null,
      action,
      targetId: id,
      target,
      before: state,
      after: after.get(id) ?? null,
      ...(batchId === undefined ? {} : { batchId, reason }),
    })),
  )
}

/** Announces a decision of staff about one hashtag, link, status or publisher. */
export const announceTaxonomy = (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  by: Pick<Viewer, 'id'> | null,
  { before, ...decision }: Omit<Decision, 'before'> & { before: TaxonomyRow },
): Promise<void> => announceTaxonomies(ctx, tx, by, { ...decision, before: [before] })
