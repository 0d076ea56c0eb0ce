/** Table `merges`: accepted requests whose notifications are not unfiltered yet. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Maximum number of notifications that one step of the job unfilters. */
const STEP = 500

/** Inserts one row for each sender whose notification request was accepted. */
export const startMerges = async (tx: Tx, recipient: string, senders: readonly string[]): Promise<void> => {
  await tx.run(sql`insert into merges (recipient_id, from_id)
    select ${recipient}::bigint, sender from unnest(${senders}::bigint[]) as given(sender)
    order by sender on conflict do nothing`)
}

/** Unfilters at most STEP notifications by a sender. Returns true if the sender may have more filtered notifications. */
export const mergeStep = async (tx: Tx, recipient: string, from: string): Promise<boolean> =>
  (await tx.run(sql`update notifications set filtered = false where id in (
    select id from notifications where recipient_id = ${recipient} and from_id = ${from} and filtered
    order by id limit ${STEP})`)) === STEP

/**
 * Deletes the row of a sender whose notifications are unfiltered. Returns true if no other accepted request of the
 * recipient is in progress.
 */
export const endMerge = async (tx: Tx, recipient: string, from: string): Promise<boolean> => {
  const ended = await tx.run(sql`delete from merges where recipient_id = ${recipient} and from_id = ${from}`)
  return ended > 0 && !(await isMerging(tx, recipient))
}

/** True if the notifications of an accepted request of the recipient are still being unfiltered. */
export const isMerging = async (db: Reader, recipient: string): Promise<boolean> =>
  (
    await db.row<{ found: boolean }>(
      sql`select exists (select 1 from merges where recipient_id = ${recipient}) as found`,
    )
  )?.found ?? false
