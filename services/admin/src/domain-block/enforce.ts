/** Applies the current blocks and allow of a domain to its accounts. */
import { moderateAccount } from '@murmuration/contracts/accounts'
import { enforceDomainBlock } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { domainsBelow } from '../core/domain-block.store.js'
import { type DomainPolicy, type ModerationStep, stepsOf, undoingSteps } from '../core/domain-policy.rules.js'
import { policiesOf } from '../core/domain-policy.store.js'

const ROUNDS = 5

const policyOf = async (ctx: Context, domain: string): Promise<DomainPolicy> =>
  (await policiesOf(ctx.db, [domain])).get(domain) ?? { blocks: [], allowed: false }

/**
 * Applies the blocks of a domain to its accounts. Repeats if the blocks changed meanwhile, because two changes of a
 * domain may be applied concurrently. Before a repetition, effects of blocks that no longer apply are undone, because
 * only this run knows that they were applied.
 */
const applyBlocks = async (ctx: Context, change: Parameters<typeof stepsOf>[0]): Promise<void> => {
  let undoing: ModerationStep[] = []
  let before = await policyOf(ctx, change.domain)
  for (let round = 0; round < ROUNDS; round++) {
    // The steps run one after the other, because ended effects must be undone before the remaining blocks are applied.
    for (const step of [...undoing, ...stepsOf(change, before, ctx.config.limitedFederation)])
      await ctx.call(moderateAccount, step)
    const after = await policyOf(ctx, change.domain)
    if (JSON.stringify(before) === JSON.stringify(after)) return
    undoing = undoingSteps(change.domain, before, after)
    before = after
  }
  throw fail('unavailable', 'The domain keeps changing', { retryAfter: 5 })
}

/** Applies the blocks of the domain. Then queues jobs that apply the blocks of its subdomains, because these blocks may count now. */
export const enforceBlock = async (
  ctx: Context,
  change: { domain: string; stamp: string; below: boolean; restores?: boolean | undefined },
): Promise<void> => {
  // The policy is published first, because services with the old policy would refuse the follows that are requested
  // again.
  if (change.restores) await ctx.publication.publish()
  await applyBlocks(ctx, change)
  if (!change.below) return
  const below = await domainsBelow(ctx.db, change.domain)
  if (below.length === 0) return
  const jobs = below.map(({ domain, created_at }) => ({ domain, stamp: created_at.toISOString(), below: false }))
  await ctx.db.tx((tx) => ctx.queue(tx, enforceDomainBlock, ...jobs))
}
