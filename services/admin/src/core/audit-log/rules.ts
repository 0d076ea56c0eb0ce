/** The chain of the audit log: what is hashed, and how a page of the chain is verified. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '@murmuration/contracts/admin'

/** An action of staff as it is stored. */
export interface AuditRow {
  id: string
  /** Account id; null for operators. */
  actor_id: string | null
  action: AuditAction
  target_id: string | null
  target: string
  before: unknown
  after: unknown
  created_at: Date
  /** Text by which staff explained the action. */
  reason: string | null
  /** The bulk action it is a part of. */
  batch_id: string | null
  /** The entry whose action it undoes. */
  undoes: string | null
}

export interface ChainedRow extends AuditRow {
  seq: string
  /** Null only if the row was changed in the database, like `hash`. */
  entry: string | null
  hash: Buffer | null
}

export interface ChainEnd {
  seq: string
  /** Hexadecimal; empty before the first entry. */
  hash: string
}

/** `missing`: an entry was removed. `changed`: an entry is not what was hashed. `cut`: the last entries were removed. */
export interface ChainProblem {
  seq: string
  id: string | null
  reason: 'missing' | 'changed' | 'cut'
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
  // Absent from older entries, whose hashes stay as they are.
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.batch_id === null ? {} : { batch_id: row.batch_id }),
  ...(row.undoes === null ? {} : { undoes: row.undoes }),
})

/** The text of an entry, of which the chain stores the hash. */
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

/** Verifies entries that follow `from`, and returns the end of what is intact, and the first problem. */
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
