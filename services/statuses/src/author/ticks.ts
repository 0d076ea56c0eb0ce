/**
 * The tick that queues erasure of the statuses of suspended remote authors. Retention is one day if the domain is
 * blocked or was removed from the allow list, otherwise thirty days.
 */
import { eraseAuthor } from '@murmuration/contracts/statuses'
import { inSteps } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import {
  deleteDelisted,
  delistedDomains,
  dueSuspended,
  putNextLooks,
  recordSuspended,
  removeUnsuspended,
} from './store.js'
import { BLOCKED_MS, nextLook } from './suspension.rules.js'

/**
 * Maximum number of suspended authors for whom one run queues a job. Each job deletes its author's statuses in small
 * steps.
 */
const MAX_AUTHORS = 500

/**
 * Milliseconds for which the cached instance policy may be outdated. During this time, a domain that was removed from the
 * allow list may still count as allowed.
 */
const POLICY_LAG_MS = 3_600_000

/**
 * Returns the domains that were removed from the allow list. Deletes the stored domains that no longer count: they were
 * added again, or limited federation ended.
 */
const delisted = async (ctx: Context, now: Date): Promise<Set<string>> => {
  const all = await delistedDomains(ctx.db)
  const isOver = ({ domain, at }: { domain: string; at: Date }): boolean =>
    !ctx.config.limitedFederation || (ctx.policy.allows(domain) && at.getTime() < now.getTime() - POLICY_LAG_MS)
  const over = all.filter(isOver).map((one) => one.domain)
  if (over.length) await deleteDelisted(ctx.db, over)
  return new Set(all.map((one) => one.domain))
}

/**
 * State of a domain. With limited federation only the allow list counts: a domain removed from it is blocked, one never
 * on it is unlisted.
 */
const domainStateOf = (
  { policy, config }: Pick<Context, 'policy' | 'config'>,
  off: ReadonlySet<string>,
  given: string,
) => {
  const domain = normaliseDomain(given) ?? given
  if (config.limitedFederation) {
    if (policy.allows(domain)) return 'open' as const
    return off.has(domain) ? ('blocked' as const) : ('unlisted' as const)
  }
  return policy.domainRule(domain)?.severity === 'suspend' ? ('blocked' as const) : ('open' as const)
}

export const eraseSuspended = tick('statuses.erase-suspended', 600_000, async (ctx) => {
  if (!ctx.policy.loaded()) return
  const now = ctx.clock.date()
  const due = new Date(now.getTime() + BLOCKED_MS)
  const off = await delisted(ctx, now)
  await inSteps({ size: 1_000, steps: 50 }, (limit) => recordSuspended(ctx.db, { now, due, limit }))
  await ctx.db.tx(async (tx) => {
    await removeUnsuspended(tx, now)
    const looks = (await dueSuspended(tx, now, MAX_AUTHORS)).map((one) => ({
      author: one.author_id,
      ...nextLook(one.since, domainStateOf(ctx, off, one.domain), now),
    }))
    await putNextLooks(tx, looks)
    const ending = looks.filter((one) => one.at === null)
    await ctx.queue(tx, eraseAuthor, ...ending.map(({ author }) => ({ author, suspended: true })))
  })
})
