/** Letting what accepted requests held into the list, in steps. */
import { type Reader, sql, type Tx } from '@murmuration/db'

const STEP = 500

/** Remembers which senders' notifications are to be let in. */
export const startMerges = async (tx: Tx, recipient: string, senders: readonly string[]): Promise<void> => {
  await tx.run(sql`insert into merges (recipient_id, from_id)
    select ${recipient}::bigint, sender from unnest(${senders}::bigint[]) as given(sender) on conflict do nothing`)
}

/** Lets one step of a sender's notifications in; true when there may be more. */
export const mergeStep = async (tx: Tx, recipient: string, from: string): Promise<boolean> =>
  (await tx.run(sql`update notifications set filtered = false where id in (
    select id from notifications where recipient_id = ${recipient} and from_id = ${from} and filtered
    order by id limit ${STEP})`)) === STEP

/** The sender's notifications are in. True when this was the recipient's last one. */
export const endMerge = async (tx: Tx, recipient: string, from: string): Promise<boolean> => {
  const ended = await tx.run(sql`delete from merges where recipient_id = ${recipient} and from_id = ${from}`)
  return ended > 0 && !(await isMerging(tx, recipient))
}

/** Whether anything is still being let in. */
export const isMerging = async (db: Reader, recipient: string): Promise<boolean> =>
  (
    await db.row<{ found: boolean }>(
      sql`select exists (select 1 from merges where recipient_id = ${recipient}) as found`,
    )
  )?.found ?? false
