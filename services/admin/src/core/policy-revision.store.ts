/** The revision of what is published: raised by every change, and what decides which of two states is newer. */
import { type Reader, sql, type Tx } from '@murmuration/db'

const of = (row: { revision: string } | null): string => row?.revision ?? '0'

/** Raises the revision. Call it first in a transaction that changes the policy: writers then wait for each other. */
export const nextRevision = async (tx: Tx): Promise<string> =>
  of(await tx.row(sql`update policy_revision set revision = revision + 1 returning revision`))

export const currentRevision = async (db: Reader): Promise<string> =>
  of(await db.row(sql`select revision from policy_revision`))

/** The revision, held still until the transaction ends, so that what is read after it belongs to it. */
export const holdRevision = async (tx: Tx): Promise<string> =>
  of(await tx.row(sql`select revision from policy_revision for share`))

/** Lifts the revision above one that was published by a database which is no more. */
export const liftRevision = (db: Reader, above: string): Promise<number> =>
  db.run(sql`update policy_revision set revision = ${above}::bigint + 1 where revision < ${above}::bigint`)
