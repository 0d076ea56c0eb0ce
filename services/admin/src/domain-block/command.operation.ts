/** Handlers of domain blocks for commands and lists: list, create or change, remove, import, export. */
import {
  createDomainBlockByOperator,
  exportDomainBlocks,
  findDomainBlocks,
  importDomainBlocks,
  removeDomainBlockByOperator,
} from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { batchStart } from '../core/audit-log/store.js'
import { changePolicy } from '../core/change-policy.js'
import { blocksAfter, blocksOf, deleteBlock } from '../core/domain-block.store.js'
import { otherDomain } from '../core/domain-name.rules.js'
import { handle } from '../handlers.js'
import { recordBlockChanges } from './change.js'
import { importBlocks } from './import.js'
import { COLUMNS, isListed, rowOf } from './list.rules.js'
import { changeBlock, insertDomainBlock, newBlock } from './new-block.js'
import { adminBlock, adminBlockOf } from './view.js'

/** Lists all domain blocks by domain, for operators. */
export const find = handle(findDomainBlocks, async (ctx, _viewer, { after, limit }) => {
  const rows = await blocksAfter(ctx.db, after, limit)
  return { blocks: rows.map(adminBlockOf), next: rows.length < limit ? null : (rows.at(-1)?.domain ?? null) }
})

/** Creates or changes the domain block of a server, for operators. */
export const createByOperator = handle(createDomainBlockByOperator, async (ctx, _viewer, input) => {
  const fresh = newBlock(ctx, input.domain, input)
  const row = await changePolicy(ctx, async (tx) => {
    const [before] = await blocksOf(tx, [fresh.domain])
    if (before) return changeBlock(ctx, tx, null, before, input)
    await insertDomainBlock(ctx, tx, null, fresh)
    return fresh
  })
  return adminBlock(row)
})

/** Removes the domain block of a server, for operators. */
export const removeByOperator = handle(removeDomainBlockByOperator, async (ctx, _viewer, input) => {
  const domain = otherDomain(input.domain, new Set())
  await changePolicy(ctx, async (tx) => {
    const [before] = await blocksOf(tx, [domain])
    if (!before) throw notFound()
    await deleteBlock(tx, before.id)
    await recordBlockChanges(ctx, tx, null, [{ before, after: null }])
  })
  return {}
})

/**
 * Throws 422 unless the batch id belongs to an import by the same account. Without this check, callers could add audit
 * log entries to any bulk action.
 */
const checkBatch = async (ctx: Context, by: string | null, batch: string): Promise<void> => {
  const start = await batchStart(ctx.db, batch)
  if (start?.action !== 'create_domain_block' || start.actor_id !== by)
    throw invalidField('Batch is not of an earlier page of the list')
}

/** Imports one page of a list of domain blocks. */
export const importPage = handle(importDomainBlocks, async (ctx, viewer, input) => {
  const { columns = null, rows, source, dry_run: dry, batch_id: batchId } = input
  if (batchId !== undefined && !dry) await checkBatch(ctx, viewer?.id ?? null, batchId)
  return importBlocks(ctx, viewer, { columns, rows, source, dry, batchId })
})

/** Number of domain blocks per page of the exported list. */
const PAGE = 500

export const exportPage = handle(exportDomainBlocks, async (ctx, _viewer, { after }) => {
  const blocks = await blocksAfter(ctx.db, after, PAGE)
  const rows = blocks.filter(isListed).map(rowOf)
  return {
    rows: after === '' ? [[...COLUMNS], ...rows] : rows,
    next: blocks.length < PAGE ? null : (blocks.at(-1)?.domain ?? null),
  }
})
