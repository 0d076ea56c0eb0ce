/** Bringing the accounts of a domain to what its blocks and its allow say now, whatever happened in between. */
import { accountModerate } from '@murmuration/contracts/accounts'
import { settleDomain } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { domainsBelow } from '../core/domain-block.store.js'
import { type DomainStanding, type ModerationStep, stepsOf, undoingSteps } from '../core/domain-standing.rules.js'
import { standingsOf } from '../core/domain-standing.store.js'

const ROUNDS = 5

const standingOf = async (ctx: Context, domain: string): Promise<DomainStanding> =>
  (await standingsOf(ctx.db, [domain])).get(domain) ?? { blocks: [], allowed: false }

/**
 * Two changes of a domain may be applied at the same time and in any order. A run that finds other blocks after its work
 * than before repeats it. It first undoes what it applied and no longer holds, because nothing else knows that it did.
 */
const settle = async (ctx: Context, change: Parameters<typeof stepsOf>[0]): Promise<void> => {
  let undoing: ModerationStep[] = []
  let before = await standingOf(ctx, change.domain)
  for (let round = 0; round < ROUNDS; round++) {
    // In order: what is lifted must be lifted before what remains is applied.
    for (const step of [...undoing, ...stepsOf(change, before, ctx.config.limitedFederation)])
      await ctx.call(accountModerate, step)
    const after = await standingOf(ctx, change.domain)
    if (JSON.stringify(before) === JSON.stringify(after)) return
    undoing = undoingSteps(change.domain, before, after)
    before = after
  }
  throw fail('unavailable', 'The domain keeps changing', { retryAfter: 5 })
}

/** Settles the domain, then what lies below it and has a block of its own, because lifting may have uncovered it. */
export const settleDomainNow = async (
  ctx: Context,
  change: { domain: string; stamp: string; below: boolean; restores?: boolean | undefined },
): Promise<void> => {
  // Services that still read the block in the policy would refuse the follows that are asked for again.
  if (change.restores) await ctx.publication.publish()
  await settle(ctx, change)
  if (!change.below) return
  const below = await domainsBelow(ctx.db, change.domain)
  await ctx.queues.push(
    settleDomain,
    ...below.map(({ domain, created_at }) => ({
      id: ctx.ids.next(),
      data: { domain, stamp: created_at.toISOString(), below: false },
    })),
  )
}
