/** Looks up the domain of reported accounts for reports of older releases, so that they count for their server. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { tick } from '../handlers.js'
import { domainsInLog, nameDomains, unnamedTargets } from './store.js'

const MOST = 200

/**
 * The audit log has the address of a deleted account that staff acted on. Other deleted accounts count as local, so that they are
 * not looked up again. The event of a deletion corrects this for remote accounts.
 */
export const nameReportDomains = tick('admin.name-report-domains', 60_000, async (ctx) => {
  const unnamed = await unnamedTargets(ctx.db, MOST)
  if (unnamed.length === 0) return
  const ids = [...new Set(unnamed.map((one) => one.target_account_id))]
  const { records } = await ctx.call(accountRecords, { ids })
  const known = new Set(records.map((one) => one.id))
  const deleted = await domainsInLog(
    ctx.db,
    ids.filter((id) => !known.has(id)),
  )
  const domains = new Map([...deleted, ...records].map((one) => [one.id, one.domain ?? '']))
  await ctx.db.tx((tx) =>
    nameDomains(
      tx,
      unnamed.map(({ id, target_account_id }) => ({ id, domain: domains.get(target_account_id) ?? '' })),
    ),
  )
})
