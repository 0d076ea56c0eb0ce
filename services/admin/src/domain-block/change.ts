/**
 * Announces changes of domain blocks as events, queues jobs that apply the changes to accounts, and adds entries to the
 * audit log.
 */
import { domainBlockChanged, enforceDomainBlock } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import type { DomainBlockRow } from '../core/domain-block.store.js'
import { blockStamp } from '../core/domain-name.rules.js'
import { adminBlockOf } from './view.js'

const VERBS = { create: 'create_domain_block', update: 'update_domain_block', remove: 'destroy_domain_block' } as const

/** A domain block that was created (`before` null), changed or removed (`after` null). */
export type BlockChange =
  | { before: DomainBlockRow | null; after: DomainBlockRow }
  | { before: DomainBlockRow; after: null }

/** True if the change of a domain block ends the suspension of the domain. */
const endsSuspension = ({ before, after }: BlockChange): boolean =>
  before?.severity === 'suspend' && after?.severity !== 'suspend'

/**
 * Announces changes of domain blocks, and queues the jobs that apply the changes to the accounts of the domains. With
 * `restores`, follows that removed suspensions had ended are requested again.
 */
export const announceBlocks = async (
  ctx: Context,
  tx: Tx,
  changes: readonly BlockChange[],
  { restores = false }: { restores?: boolean } = {},
): Promise<void> => {
  const changed = changes.map((change) => ({ ...change, block: change.after ?? change.before }))
  await ctx.announce(
    tx,
    domainBlockChanged,
    ...changed.map(({ block, after }) => ({
      domain: block.domain,
      severity: after?.severity ?? ('none' as const),
      reject_media: after?.reject_media ?? false,
      stamp: blockStamp(block),
    })),
  )
  await ctx.queue(
    tx,
    enforceDomainBlock,
    ...changed.map((change) => {
      const job = { domain: change.block.domain, stamp: blockStamp(change.block) }
      return restores && endsSuspension(change) ? { ...job, restores } : job
    }),
  )
}

/**
 * Announces changes of domain blocks, and adds their entries to the audit log. `by` is null for operators. `bulk`: the
 * bulk action and its reason.
 */
export const recordBlockChanges = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  changes: readonly BlockChange[],
  bulk: { batchId?: string; reason?: string | undefined } = {},
): Promise<void> => {
  await announceBlocks(ctx, tx, changes)
  await record(
    ctx,
    tx,
    by,
    ...changes.map(({ before, after }) => {
      const block = after ?? before
      return {
        action: VERBS[before === null ? 'create' : after === null ? 'remove' : 'update'],
        targetId: block.id,
        target: block.domain,
        before: before && adminBlockOf(before),
        after: after && adminBlockOf(after),
        ...bulk,
      }
    }),
  )
}
