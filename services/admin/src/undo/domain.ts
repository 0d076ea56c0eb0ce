/** Undoes actions on domain blocks and domain allows. */
import { domainAllowRemoved, removeDomainAllow, updateDomainBlock } from '@murmuration/contracts/admin'
import { z } from 'zod'
import { allowsOf, type DomainAllowRow, deleteAllow, insertAllows, lockAllow } from '../core/domain-allow.store.js'
import {
  blocksOf,
  type DomainBlockRow,
  deleteBlocks,
  insertBlocks,
  lockBlocks,
  updateBlocks,
} from '../core/domain-block.store.js'
import { announceBlocks, type BlockChange, checkSpaceFor, queueAllowEnforcement } from '../domain-block/index.js'
import { type BatchChange, batchReversal } from './batch.js'
import { oppositeOf, recordedDate, rowReversal, undoObstacle } from './row.js'

const Block = z.object({
  id: z.string(),
  domain: z.string(),
  severity: z.enum(['noop', 'silence', 'suspend']),
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  private_comment: z.string().nullable(),
  public_comment: z.string().nullable(),
  obfuscate: z.boolean(),
  created_at: recordedDate(),
})

const changeOf = ({ row, to }: BatchChange<DomainBlockRow, DomainBlockRow>): BlockChange[] => {
  if (to) return [{ before: row, after: to }]
  return row ? [{ before: row, after: null }] : []
}

export const domainBlocks = batchReversal<DomainBlockRow, DomainBlockRow>({
  needs: updateDomainBlock,
  recorded: Block,
  isPublished: true,
  lock: lockBlocks,
  /** A removed domain block is not restored if the domain has another block meanwhile. */
  async obstacles(tx, changes) {
    const back = changes.flatMap(({ entry, row, to }) =>
      row === null && to ? [{ id: entry.id, domain: to.domain }] : [],
    )
    const taken = new Set(
      (
        await blocksOf(
          tx,
          back.map(({ domain }) => domain),
        )
      ).map(({ domain }) => domain),
    )
    return new Map(back.filter(({ domain }) => taken.has(domain)).map(({ id }) => [id, 'is_taken' as const]))
  },
  async store(ctx, tx, changes) {
    const removed = changes.flatMap(({ id, to }) => (to === null ? [id] : []))
    const back = changes.flatMap(({ row, to }) => (row === null && to ? [to] : []))
    const changed = changes.flatMap(({ row, to }) => (row && to ? [to] : []))
    if (removed.length > 0) await deleteBlocks(tx, removed)
    if (back.length > 0) {
      await checkSpaceFor(tx, back.length)
      await insertBlocks(tx, back)
    }
    if (changed.length > 0) await updateBlocks(tx, changed)
    await announceBlocks(ctx, tx, changes.flatMap(changeOf), { restores: true })
  },
  actionOf: ({ action }) => oppositeOf(action),
})

const Allow = z.object({ id: z.string(), domain: z.string(), created_at: recordedDate() })

export const domainAllows = rowReversal<DomainAllowRow, DomainAllowRow>({
  needs: removeDomainAllow,
  recorded: Allow,
  isPublished: true,
  lock: lockAllow,
  async store(ctx, tx, { id, row, to }) {
    if (to) {
      if ((await allowsOf(tx, [to.domain])).length > 0) throw undoObstacle('is_taken')
      await checkSpaceFor(tx, 1)
      await insertAllows(tx, [to])
      return queueAllowEnforcement(ctx, tx, [to])
    }
    await deleteAllow(tx, id)
    if (row && ctx.config.limitedFederation) await ctx.announce(tx, domainAllowRemoved, { domain: row.domain })
    if (row) await queueAllowEnforcement(ctx, tx, [row])
  },
})
