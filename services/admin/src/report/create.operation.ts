/** Reports an account to the moderators. */
import { accountRecords, collectionCards } from '@murmuration/contracts/accounts'
import { createReport } from '@murmuration/contracts/admin'
import type { Collection } from '@murmuration/contracts/entities'
import { notFound, reply, type Viewer } from '@murmuration/contracts/kit'
import { statusesForReport, statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { type Category, categoryOf, checkRules, commentOf, forwardDomains } from '../core/report.rules.js'
import { reportById } from '../core/report.store.js'
import { handle } from '../handlers.js'
import { countInForce } from '../rule/index.js'
import { fileReport, freshReport } from './file-report.js'
import { reportOfKey, takeKey } from './idempotency.store.js'
import { showReport } from './show-filed.js'

/** The reported account. Throws 404 if the viewer may not see it. */
const targetOf = async (ctx: Context, id: string) => {
  const { records } = id === '0' ? { records: [] } : await ctx.call(accountRecords, { ids: [id] })
  const [target] = records
  if (!target || target.suspended || !target.usable) throw notFound()
  return target
}

/**
 * Ids of the reported statuses, newest first. Throws 404 if a status is not by the reported account, or if the reporter
 * may not see it (A060).
 */
const statusesOf = async (ctx: Context, viewer: Viewer, author: string, ids: string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const found = new Set((await ctx.call(statusesForReport, { viewer: viewer.id, author, ids })).ids)
  if (ids.some((id) => !found.has(id))) throw notFound()
  return ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
}

/**
 * Ids of the reported collections. Throws 404 unless the reported account owns all of them and the reporter may see
 * them.
 */
const collectionsOf = async (ctx: Context, viewer: Viewer, owner: string, ids: string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const cards = await ctx.call(collectionCards, { viewer: viewer.id, ids })
  const owned = [...cards.values()].filter((text) => (JSON.parse(text) as Collection).account_id === owner)
  if (owned.length !== ids.length) throw notFound()
  return ids
}

/** Domains of the authors to whom these statuses reply. */
const domainsOfParents = async (ctx: Context, ids: string[]): Promise<(string | null)[]> => {
  if (ids.length === 0) return []
  const { records } = await ctx.call(statusRecords, { ids })
  const authors = [...new Set(records.flatMap((one) => one.in_reply_to_author ?? []))]
  if (authors.length === 0) return []
  return (await ctx.call(accountRecords, { ids: authors })).records.map((one) => one.domain)
}

const categoryAndRules = async (
  ctx: Context,
  input: { category?: string | null | undefined; rule_ids: string[] },
): Promise<Category> => {
  const chosen = categoryOf(input.category, 'other')
  // A report that names server rules has the category `violation`.
  const category = input.rule_ids.length ? 'violation' : chosen
  if (input.rule_ids.length) checkRules(category, input.rule_ids, await countInForce(ctx.db, input.rule_ids))
  return category
}

export const create = handle(createReport, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey
  const earlier = async () => {
    const id = key && (await reportOfKey(ctx.db, viewer.id, key, ctx.clock.date()))
    return id ? reportById(ctx.db, id) : null
  }
  const again = await earlier()
  if (again) return reply(await showReport(ctx, again), { headers: { 'X-Unchanged': '1' } })

  const target = await targetOf(ctx, input.account_id)
  const [statusIds, collectionIds] = await Promise.all([
    statusesOf(ctx, viewer, target.id, input.status_ids),
    collectionsOf(ctx, viewer, target.id, input.collection_ids),
  ])
  // A missing status or collection is reported before invalid input.
  const comment = commentOf(input.comment)
  const category = await categoryAndRules(ctx, input)
  const domains = input.forward_to_domains
  const parentDomains = input.forward && target.domain !== null && domains ? await domainsOfParents(ctx, statusIds) : []
  const forward = forwardDomains({ forward: input.forward, domains }, target.domain, parentDomains)

  const row = freshReport(ctx, {
    uri: null,
    account_id: viewer.id,
    target_account_id: target.id,
    target_domain: target.domain ?? '',
    status_ids: statusIds,
    rule_ids: input.rule_ids,
    collection_ids: collectionIds,
    category,
    comment,
    forwarded: forward.length > 0,
  })
  const stored = await ctx.db.tx(async (tx) => {
    if (key && !(await takeKey(tx, viewer.id, key, row.id, row.created_at))) return false
    await fileReport(ctx, tx, row, { forward })
    return true
  })
  return showReport(ctx, stored ? row : ((await earlier()) ?? row))
})
