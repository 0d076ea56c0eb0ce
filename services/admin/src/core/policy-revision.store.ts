/**
 * Revision of the published policy. Every change of the policy increases the revision, so the higher revision is the
 * newer state.
 */
import { type Reader, sql, type Tx } from '@murmuration/db'

const of = (row: { revision: string } | null): string => row?.revision ?? '0'

/**
 * Raises the revision. A transaction that changes the policy must run this statement first, so that such transactions
 * wait for each other.
 */
export const nextRevision = async (tx: Tx): Promise<string> =>
  of(await tx.row(sql`update policy_revision set revision = revision + 1 returning revision`))

export const currentRevision = async (db: Reader): Promise<string> =>
  of(await db.row(sql`select revision from policy_revision`))

/** Reads the revision and locks it until the transaction ends, so that rows read later belong to this revision. */
export const lockRevision = async (tx: Tx): Promise<string> =>
  of(await tx.row(sql`select revision from policy_revision for share`))

/** Raises the revision above the published revision, after the database was restored from an older copy. */
export const setRevisionAbove = (db: Reader, above: string): Promise<number> =>
  db.run(sql`update policy_revision set revision = ${above}::bigint + 1 where revision < ${above}::bigint`)
