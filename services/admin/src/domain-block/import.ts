/** Import of a list of blocks: new domains are blocked, existing blocks stay unchanged, and a dry run only reports. */
import { domainTies } from '@murmuration/contracts/accounts'
import type { ImportedBlock } from '@murmuration/contracts/admin'
import { Failure, type Viewer } from '@murmuration/contracts/kit'
import type { Reader } from '@murmuration/db'
import type { Context } from '../context.js'
import { changePolicy } from '../core/change-policy.js'
import { blocksOf, type DomainBlockRow, insertBlocks } from '../core/domain-block.store.js'
import { withParents } from '../core/domain-name.rules.js'
import { recordBlockChanges } from './change.js'
import { type ListedRow, readRows } from './list.rules.js'
import { checkSpaceFor, newBlock } from './new-block.js'

interface List {
  columns: readonly string[] | null
  rows: readonly (readonly string[])[]
  /** Origin of the list, such as a file name, for the private comment of the blocks. */
  source: string
  dry: boolean
  /** Id of the bulk action to which earlier pages of the same list belong. */
  batchId: string | undefined
}
type Existing = Pick<DomainBlockRow, 'domain' | 'severity'>
interface Evaluated {
  row: ListedRow
  block: DomainBlockRow | null
  outcome: ImportedBlock['outcome']
  reason: string | null
  existing: Existing | null
}

/** The domain block that a row of the list describes, or the reason why the row is invalid. */
const evaluate = (ctx: Context, row: ListedRow, note: string): Evaluated => {
  try {
    const block = newBlock(ctx, row.domain, { ...row, private_comment: note })
    return { row, block, outcome: 'blocked', reason: null, existing: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { row, block: null, outcome: 'invalid', reason: error.message, existing: null }
  }
}

/**
 * Marks rows as `known` if their domain or a parent domain has a block. A block from an earlier row of the list counts
 * too.
 */
const withoutKnown = async (db: Reader, evaluated: readonly Evaluated[]): Promise<Evaluated[]> => {
  const names = evaluated.flatMap(({ block }) => (block ? withParents(block.domain) : []))
  const known = new Map<string, Existing>((await blocksOf(db, [...new Set(names)])).map((one) => [one.domain, one]))
  return evaluated.map((one) => {
    if (one.block === null) return one
    const { domain } = one.block
    const existing = withParents(domain).flatMap((name) => known.get(name) ?? [])[0]
    if (existing) return { ...one, block: null, outcome: 'known' as const, existing }
    known.set(domain, one.block)
    return one
  })
}

/** Imports blocks; a dry run only reports. Each result contains the number of follows with the domain. `by` is null for operators. */
export const importBlocks = async (
  ctx: Context,
  by: Viewer | null,
  { columns, rows, source, dry, batchId = ctx.ids.next() }: List,
): Promise<{ results: ImportedBlock[]; batch_id: string | null }> => {
  const note = `Imported from ${source || 'a list'} on ${ctx.clock.date().toISOString().slice(0, 10)}`
  const all = readRows(columns, rows).map((row) => evaluate(ctx, row, note))
  const planned = await withoutKnown(ctx.db, all)
  const wanted = planned.flatMap(({ block }) => (block ? [block.domain] : []))
  // Follows with the domains are counted before the blocks are applied, because suspensions end the follows.
  const { ties } = wanted.length ? await ctx.call(domainTies, { domains: wanted }) : { ties: [] }
  const tiesOf = new Map(wanted.map((domain, at) => [domain, ties[at] ?? null]))
  const done =
    dry || wanted.length === 0
      ? planned
      : await changePolicy(ctx, async (tx) => {
          const left = await withoutKnown(tx, planned)
          const blocks = left.flatMap(({ block }) => (block ? [block] : []))
          await checkSpaceFor(tx, blocks.length)
          await insertBlocks(tx, blocks)
          const changes = blocks.map((after) => ({ before: null, after }))
          await recordBlockChanges(ctx, tx, by, changes, { batchId, reason: note })
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
