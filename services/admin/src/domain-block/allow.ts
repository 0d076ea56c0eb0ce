/**
 * Adds domains to the allow list and removes them: changes the rows, queues jobs that apply the change to accounts, and
 * adds audit log entries.
 */
import { domainAllowRemoved, enforceDomainBlock } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { allowsOf, type DomainAllowRow, deleteAllow, insertAllows } from '../core/domain-allow.store.js'
import { allowStamp } from '../core/domain-policy.rules.js'
import { checkSpaceFor } from './new-block.js'
import { adminAllowOf } from './view.js'

export const queueAllowEnforcement = (ctx: Context, tx: Tx, rows: readonly DomainAllowRow[]): Promise<void> =>
  ctx.queue(tx, enforceDomainBlock, ...rows.map(({ domain }) => ({ domain, stamp: allowStamp(domain) })))

/**
 * Adds domains to the allow list unless they are on it. Returns the rows of all these domains, and the new rows. Runs
 * in a transaction with the lock of policy writers, so that it sees the current allow list. `by` is null for operators.
 */
export const createAllows = async (
  ctx: Context,
  tx: Tx,
  by: Viewer | null,
  domains: readonly string[],
): Promise<{ all: DomainAllowRow[]; fresh: DomainAllowRow[] }> => {
  const known = await allowsOf(tx, domains)
  const has = new Set(known.map((row) => row.domain))
  const fresh = [...new Set(domains)]
    .filter((domain) => !has.has(domain))
    .map((domain) => ({ id: ctx.ids.next(), domain, created_at: ctx.clock.date() }))
  if (fresh.length === 0) return { all: known, fresh }
  await checkSpaceFor(tx, fresh.length)
  await insertAllows(tx, fresh)
  await queueAllowEnforcement(ctx, tx, fresh)
  await record(
    ctx,
    tx,
    by,
    ...fresh.map((row) => ({
      action: 'create_domain_allow' as const,
      targetId: row.id,
      target: row.domain,
      after: adminAllowOf(row),
    })),
  )
  return { all: [...known, ...fresh], fresh }
}

export const removeAllow = async (ctx: Context, tx: Tx, by: Viewer | null, row: DomainAllowRow): Promise<void> => {
  await deleteAllow(tx, row.id)
  if (ctx.config.limitedFederation) await ctx.announce(tx, domainAllowRemoved, { domain: row.domain })
  await queueAllowEnforcement(ctx, tx, [row])
  const before = adminAllowOf(row)
  await record(ctx, tx, by, { action: 'destroy_domain_allow', targetId: row.id, target: row.domain, before })
}
