/** Bringing in a list of blocks: what is new is blocked, what has a block stays as it is, and a dry run only tells. */
import { domainTies } from '@murmuration/contracts/accounts'
import type { ImportedBlock } from '@murmuration/contracts/admin'
import { Failure, type Viewer } from '@murmuration/contracts/kit'
import type { Reader } from '@murmuration/db'
import type { Context } from '../context.js'
import { changePolicy } from '../core/change-policy.js'
import { blocksOf, type DomainBlockRow, insertBlocks } from '../core/domain-block.store.js'
import { withParents } from '../core/domain-name.rules.js'
import { tellOfBlocks } from './change.js'
import { type ListedRow, readRows } from './list.rules.js'
import { mustFit, newBlock } from './place.js'

interface List {
  columns: readonly string[] | null
  rows: readonly (readonly string[])[]
  /** Where it is from. */
  source: string
  dry: boolean
  /** Of the pages before. */
  batchId: string | undefined
}
type Existing = Pick<DomainBlockRow, 'domain' | 'severity'>
interface Judged {
  row: ListedRow
  block: DomainBlockRow | null
  outcome: ImportedBlock['outcome']
  reason: string | null
  existing: Existing | null
}

/** The block that a row means; refused rows are told, not thrown. */
const judge = (ctx: Context, row: ListedRow, note: string): Judged => {
  try {
    const block = newBlock(ctx, row.domain, { ...row, private_comment: note })
    return { row, block, outcome: 'blocked', reason: null, existing: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { row, block: null, outcome: 'invalid', reason: error.message, existing: null }
  }
}

/** Marks rows as known whose domain or a parent is blocked already, or is blocked by an earlier row of the list. */
const withoutKnown = async (db: Reader, judged: readonly Judged[]): Promise<Judged[]> => {
  const names = judged.flatMap(({ block }) => (block ? withParents(block.domain) : []))
  const known = new Map<string, Existing>((await blocksOf(db, [...new Set(names)])).map((one) => [one.domain, one]))
  return judged.map((one) => {
    if (one.block === null) return one
    const { domain } = one.block
    const existing = withParents(domain).flatMap((name) => known.get(name) ?? [])[0]
    if (existing) return { ...one, block: null, outcome: 'known' as const, existing }
    known.set(domain, one.block)
    return one
  })
}

/** Does it, or with `dry` only tells it; each result with what joins us with the domain. `by` null is an operator. */
export const importBlocks = async (
  ctx: Context,
  by: Viewer | null,
  { columns, rows, source, dry, batchId = ctx.ids.next() }: List,
): Promise<{ results: ImportedBlock[]; batch_id: string | null }> => {
  const note = `Imported from ${source || 'a list'} on ${ctx.clock.date().toISOString().slice(0, 10)}`
  const all = readRows(columns, rows).map((row) => judge(ctx, row, note))
  const planned = await withoutKnown(ctx.db, all)
  const wanted = planned.flatMap(({ block }) => (block ? [block.domain] : []))
  // Asked before anything is cut: afterwards there is nothing to count.
  const { ties } = wanted.length ? await ctx.call(domainTies, { domains: wanted }) : { ties: [] }
  const tiesOf = new Map(wanted.map((domain, at) => [domain, ties[at] ?? null]))
  const done =
    dry || wanted.length === 0
      ? planned
      : await changePolicy(ctx, async (tx) => {
          const left = await withoutKnown(tx, planned)
          const blocks = left.flatMap(({ block }) => (block ? [block] : []))
          await mustFit(tx, blocks.length)
          await insertBlocks(tx, blocks)
          const changes = blocks.map((after) => ({ before: null, after }))
          await tellOfBlocks(ctx, tx, by, changes, { batchId, reason: note })
          return left
        })
  const results = done.map(({ row, block, outcome, reason, existing }) => ({
    domain: block?.domain ?? row.domain,
    severity: row.severity,
    outcome,
    reason,
    existing: existing && { domain: existing.domain, severity: existing.severity },
    ties: block ? (tiesOf.get(block.domain) ?? null) : null,
  }))
  return { results, batch_id: !dry && results.some((one) => one.outcome === 'blocked') ? batchId : null }
}
