/**
 * Has copies deleted that nobody lets in any more: of servers that are not on the list when limited federation was switched on,
 * and what was just being stored when staff decided. What is left of a run is found by the next.
 */
import { clearDomainJob } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { tick } from '../doors.js'
import { isRefused } from '../outside/copying.js'
import { domainsWithCopies } from '../store/domain-copy.js'
import type { Due } from '../store/remote-copy.js'

const PAGE = 500
/** Pages of domains that one run looks at, so that none is left out, and refused domains after which it ends. */
const MOST_PAGES = 400
const MOST_REFUSED = 2_000

const clear = async (ctx: Context, what: Due['what']): Promise<number> => {
  let after = ''
  let refused = 0
  await inSteps({ size: PAGE, steps: MOST_PAGES }, async (most) => {
    const domains = await domainsWithCopies(ctx.db, what, after, most)
    after = domains.at(-1) ?? after
    const fresh = domains.filter((domain) => isRefused(ctx, domain))
    // What this says stands in the rows, and the bus drops a job that is on its way already.
    await ctx.queues.push(
      clearDomainJob,
      ...fresh.map((domain) => ({
        id: `refused-${what}-${domain}`,
        data: { domain, exact: true, whileRefused: true, what, after: '0' },
      })),
    )
    refused += fresh.length
    return refused < MOST_REFUSED ? domains.length : 0
  })
  return refused
}

export const clearRefused = tick('media.clear-refused', 600_000, async (ctx) => {
  if (!ctx.policy.loaded()) return
  const [attachment, picture] = await Promise.all([clear(ctx, 'attachment'), clear(ctx, 'picture')])
  if (attachment + picture > 0) ctx.log.info({ attachment, picture }, 'copies of servers that are not let in go')
})
