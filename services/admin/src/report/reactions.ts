/**
 * Stores a report of another server about a local account, or about a remote reply to a local account, unless a domain
 * block rejects reports of that server.
 */
import { accountRecords } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import { processOnce } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { strictestOf } from '../core/domain-block.store.js'
import { withParents } from '../core/domain-name.rules.js'
import { remoteCommentOf } from '../core/report.rules.js'
import { react } from '../handlers.js'
import { fileReport, freshReport } from './file-report.js'

const MAX_STATUSES = 200

/** Returns the statuses with these URIs that the reported account wrote. */
const statusesOf = async (ctx: Context, author: string, uris: string[]): Promise<StatusRecord[]> => {
  if (uris.length === 0) return []
  const { records } = await ctx.call(statusRecords, { uris: [...new Set(uris)].slice(0, MAX_STATUSES) })
  return records.filter((one) => one.author === author)
}

/** True when one of the reported statuses is a reply to a local account. */
const repliesToLocal = async (ctx: Context, statuses: readonly StatusRecord[]): Promise<boolean> => {
  const ids = [...new Set(statuses.flatMap((one) => one.in_reply_to_author ?? []))]
  if (ids.length === 0) return false
  const { records } = await ctx.call(accountRecords, { ids })
  return records.some((one) => one.domain === null)
}

export const onFlagReceived = react(flagReceived, 'on-flag-received', async (ctx, e) => {
  const rule = await strictestOf(ctx.db, withParents(e.domain))
  if (rule && (rule.reject_reports || rule.severity === 'suspend')) return
  const { records } = await ctx.call(accountRecords, { ids: [e.actor, e.target] })
  const actor = records.find((one) => one.id === e.actor)
  const target = records.find((one) => one.id === e.target)
  if (!actor || actor.suspended || !target) return
  const statuses = await statusesOf(ctx, target.id, e.statusUris)
  if (target.domain !== null && !(await repliesToLocal(ctx, statuses))) return
  const row = freshReport(ctx, {
    uri: e.uri,
    account_id: actor.id,
    target_account_id: target.id,
    target_domain: target.domain ?? '',
    status_ids: statuses.map((one) => one.id),
    rule_ids: [],
    collection_ids: e.collectionIds,
    category: 'other',
    comment: remoteCommentOf(e.comment),
    forwarded: false,
  })
  await ctx.db.tx((tx) => processOnce(tx, e, () => fileReport(ctx, tx, row, { isRemote: true })))
})
