/** Announces decisions of staff about hashtags, trends and publishers with the state before and after. */
import type { AuditAction } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { taxonomyManaged } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { lockTaxonomies, lockTaxonomy, type TaxonomyKind, type TaxonomyRow } from './store.js'

/** The state before a decision; null without such a thing. */
export const recordedTaxonomy = lockTaxonomy

interface Decision {
  action: AuditAction
  kind: TaxonomyKind
  /** Rows as they were before. */
  before: readonly TaxonomyRow[]
  /** The bulk action it is a part of, with the text by which staff explains it. */
  batchId?: string
  reason?: string | null
}

/** Announces one decision about several things. `by` is null for operators. */
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

/** The same about one. */
export const announceTaxonomy = (
  ctx: Pick<Context, 'announce'>,
  tx: Tx,
  by: Pick<Viewer, 'id'> | null,
  { before, ...decision }: Omit<Decision, 'before'> & { before: TaxonomyRow },
): Promise<void> => announceTaxonomies(ctx, tx, by, { ...decision, before: [before] })
