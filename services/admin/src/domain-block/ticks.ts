/**
 * Applies limited federation mode to all known servers, also after it was turned on: accounts of servers that are not
 * allowed are suspended. When limited federation mode is turned off, these suspensions end.
 */
import { accountDomains } from '@murmuration/contracts/accounts'
import { enforceDomainBlock } from '@murmuration/contracts/admin'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { allowStamp } from '../core/domain-policy.rules.js'
import { tick } from '../handlers.js'
import { insertClosed, openDomains, takeClosed } from './closed.store.js'

/** Maximum number of domains that one run of the tick handles. */
const MAX_DOMAINS = 1_000

const queueEnforcement = (ctx: Context, tx: Tx, domains: readonly string[]): Promise<void> =>
  ctx.queue(tx, enforceDomainBlock, ...domains.map((domain) => ({ domain, stamp: allowStamp(domain), below: false })))

export const closeDomains = tick('admin.close-domains', 60_000, async (ctx) => {
  const limited = ctx.config.limitedFederation
  const fresh = limited ? await openDomains(ctx.db, (await ctx.call(accountDomains, {})).domains, MAX_DOMAINS) : []
  await ctx.db.tx(async (tx) => {
    await insertClosed(tx, fresh)
    await queueEnforcement(ctx, tx, [...fresh, ...(await takeClosed(tx, !limited, MAX_DOMAINS))])
  })
})
