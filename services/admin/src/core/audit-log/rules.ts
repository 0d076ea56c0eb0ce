/** The hash chain of the audit log: composes the hashed text of an entry, and verifies a page of entries. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '@murmuration/contracts/admin'

/** A stored entry of the audit log. */
export interface AuditRow {
  id: string
  /** Account id of the actor; null for operators. */
  actor_id: string | null
  action: AuditAction
  target_id: string | null
  target: string
  before: unknown
  after: unknown
  created_at: Date
  /** Reason that staff entered; null without one. */
  reason: string | null
  /** Id of the bulk action that the entry belongs to. */
  batch_id: string | null
  /** Id of the entry whose action this entry undoes. */
  undoes: string | null
}

export interface ChainedRow extends AuditRow {
  seq: string
  /** Hashed text of the entry. `entry` and `hash` are null only if the row was changed in the database. */
  entry: string | null
  hash: Buffer | null
}

export interface ChainEnd {
  seq: string
  /** Hash of the last entry, hexadecimal; empty before the first entry. */
  hash: string
}

/**
 * `missing`: an entry was removed. `changed`: the content of an entry differs from its hashed text. `cut`: the last
 * entries were removed. `added`: an entry is not in the chain, or after its head.
 */
export interface ChainProblem {
  seq: string
  id: string | null
  reason: 'missing' | 'changed' | 'cut' | 'added'
}

const content = (row: AuditRow) => ({
  id: row.id,
  at: row.created_at.toISOString(),
  actor: row.actor_id,
  action: row.action,
  target_id: row.target_id,
  target: row.target,
  before: row.before ?? null,
  after: row.after ?? null,
  // Members that are null are left out, so that the hashes of older entries stay valid.
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.batch_id === null ? {} : { batch_id: row.batch_id }),
  ...(row.undoes === null ? {} : { undoes: row.undoes }),
})

/** The text of an entry that is hashed in the chain. */
export const entryOf = (row: AuditRow): string => JSON.stringify(content(row))

const isEntry = (row: AuditRow, entry: string): boolean => {
  try {
    return isDeepStrictEqual(JSON.parse(entry), JSON.parse(entryOf(row)))
  } catch {
    return false
  }
}

const hashAfter = (before: string, entry: string): string =>
  createHash('sha256').update(Buffer.from(before, 'hex')).update(entry).digest('hex')

/**
 * Verifies the hash chain of the entries after `from`. Returns the last intact entry, and the first problem or null.
 */
export const verifyChain = (
  from: ChainEnd,
  rows: readonly ChainedRow[],
): { end: ChainEnd; problem: ChainProblem | null } => {
  let end = from
  for (const row of rows) {
    const seq = String(BigInt(end.seq) + 1n)
    if (row.seq !== seq) return { end, problem: { seq, id: null, reason: 'missing' } }
    const changed = { end, problem: { seq, id: row.id, reason: 'changed' as const } }
    if (row.entry === null || row.hash === null || !isEntry(row, row.entry)) return changed
    const hash = hashAfter(end.hash, row.entry)
    if (hash !== row.hash.toString('hex')) return changed
    end = { seq, hash }
  }
  return { end, problem: null }
}

const after = ({ seq }: ChainEnd): string => String(BigInt(seq) + 1n)

/**
 * Compares the last verified entry of the audit log with the head of the hash chain.
 * @param heads the head before the entries were read, and after that. The two heads differ if entries were added
 * meanwhile.
 */
export const endProblem = (end: ChainEnd, heads: { before: ChainEnd; after: ChainEnd }): ChainProblem | null => {
  const [seq, least, max] = [end.seq, heads.before.seq, heads.after.seq].map(BigInt) as [bigint, bigint, bigint]
  const isOther = [heads.before, heads.after].some((head) => head.seq === end.seq && head.hash !== end.hash)
  if (seq < least || isOther) return { seq: after(end), id: null, reason: 'cut' }
  return seq > max ? { seq: after(heads.after), id: null, reason: 'added' } : null
}
