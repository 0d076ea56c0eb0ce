/** What follows from every change of a block: the event, the job that settles its accounts, the deed in the log. */
import { domainBlockChanged, settleDomain } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { blockStamp } from '../domain/domain-block.js'
import type { DomainBlockRow } from '../store/domain-block.js'
import { adminBlockOf } from '../views/domain-block.js'
import { record } from './record.js'

const VERBS = { create: 'create_domain_block', update: 'update_domain_block', remove: 'destroy_domain_block' } as const

/** Tells of a block that was made (`before` null), changed, or lifted (`after` null). */
export const tellOfBlock = async (
  ctx: Context,
  tx: Tx,
  by: Viewer,
  change: { before: DomainBlockRow | null; after: DomainBlockRow | null },
): Promise<void> => {
  const block = change.after ?? change.before
  if (!block) return
  const stamp = blockStamp(block)
  await ctx.announce(tx, domainBlockChanged, {
    domain: block.domain,
    severity: change.after?.severity ?? 'none',
    reject_media: change.after?.reject_media ?? false,
    stamp,
  })
  await ctx.queue(tx, settleDomain, { domain: block.domain, stamp })
  await record(ctx, tx, by, {
    action: VERBS[change.before === null ? 'create' : change.after === null ? 'remove' : 'update'],
    targetId: block.id,
    target: block.domain,
    before: change.before && adminBlockOf(change.before),
    after: change.after && adminBlockOf(change.after),
  })
}
