/** Bringing the accounts of a domain to what its blocks and its allow say now, whatever happened in between. */
import { accountModerate } from '@murmuration/contracts/accounts'
import { settleDomain } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { withParents } from '../domain/domain-block.js'
import { type DomainStanding, stepsOf } from '../domain/domain-standing.js'
import { allowOf } from '../store/domain-allow.js'
import { blocksOf, domainsBelow } from '../store/domain-block.js'

const ROUNDS = 5

const standingOf = async (ctx: Context, domain: string): Promise<DomainStanding> => {
  const [blocks, allow] = await Promise.all([blocksOf(ctx.db, withParents(domain)), allowOf(ctx.db, domain)])
  return { blocks: blocks.toSorted((a, b) => a.domain.length - b.domain.length), allowed: allow !== null }
}

/**
 * Two changes may be worked on at the same time and in any order. Whoever finds after its own work that something else
 * holds by now goes once more, so that the last one to finish leaves what holds.
 */
const settle = async (ctx: Context, change: { domain: string; stamp: string }): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) {
    const before = await standingOf(ctx, change.domain)
    // In order: what is lifted must be lifted before what remains is applied.
    for (const step of stepsOf(change, before, ctx.config.limitedFederation)) await ctx.call(accountModerate, step)
    const after = await standingOf(ctx, change.domain)
    if (JSON.stringify(before) === JSON.stringify(after)) return
  }
  throw fail('unavailable', 'The domain keeps changing', { retryAfter: 5 })
}

/** Settles the domain, then what lies below it and has a block of its own, because lifting may have uncovered it. */
export const settleDomainNow = async (
  ctx: Context,
  change: { domain: string; stamp: string; below: boolean },
): Promise<void> => {
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
