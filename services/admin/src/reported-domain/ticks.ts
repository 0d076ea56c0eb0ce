/**
 * Looks up the domain of reported accounts for reports of older releases, so that these reports count for the right
 * server.
 */
import { accountRecords } from '@murmuration/contracts/accounts'
import { knownAuthors } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { domainsInLog, nameDomains, UNKNOWN_DOMAIN, unnamedTargets } from './store.js'

const MAX_REPORTS = 200

/**
 * Domains of deleted accounts, from their handles in the audit log and from the statuses service; empty for local
 * accounts.
 */
const domainsOfDeleted = async (ctx: Context, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const [logged, { authors }] = await Promise.all([
    domainsInLog(ctx.db, ids),
    ctx.call(knownAuthors, { ids: [...ids] }),
  ])
  const known = authors.map(({ id, local, domain }) => [id, local ? '' : (domain ?? UNKNOWN_DOMAIN)] as const)
  return new Map([...known, ...logged.map(({ id, domain }) => [id, domain] as const)])
}

/**
 * Stores domains in reports of older releases. Deleted accounts with an unknown domain count as local, so that they are
 * not looked up again. The deletion event of a remote account corrects its domain.
 */
export const nameReportDomains = tick('admin.name-report-domains', 60_000, async (ctx) => {
  const unnamed = await unnamedTargets(ctx.db, MAX_REPORTS)
  if (unnamed.length === 0) return
  const ids = [...new Set(unnamed.map((one) => one.target_account_id))]
  const { records } = await ctx.call(accountRecords, { ids })
  const present = new Map(records.map((one) => [one.id, one.domain ?? '']))
  const deleted = await domainsOfDeleted(
    ctx,
    ids.filter((id) => !present.has(id)),
  )
  await ctx.db.tx((tx) =>
    nameDomains(
      tx,
      unnamed.map(({ id, target_account_id: target }) => ({
        id,
        domain: present.get(target) ?? deleted.get(target) ?? '',
      })),
    ),
  )
})
