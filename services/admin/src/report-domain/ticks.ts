/** Looks up the domain of reported accounts for reports of older releases, so that they count for their server. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { tick } from '../handlers.js'
import { nameDomains, unnamedTargets } from './store.js'

const MOST = 200

/** An account that is gone counts as local, so that it is not asked for again. */
export const nameReportDomains = tick('admin.name-report-domains', 60_000, async (ctx) => {
  const unnamed = await unnamedTargets(ctx.db, MOST)
  if (unnamed.length === 0) return
  const { records } = await ctx.call(accountRecords, { ids: [...new Set(unnamed.map((one) => one.target_account_id))] })
  const domains = new Map(records.map((one) => [one.id, one.domain ?? '']))
  await ctx.db.tx((tx) =>
    nameDomains(
      tx,
      unnamed.map(({ id, target_account_id }) => ({ id, domain: domains.get(target_account_id) ?? '' })),
    ),
  )
})
