/** Answers of people here that wait, or waited, for the approval of whom they answer. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { HELD } from '../domain/visibility.js'

/** Notes for whom an answer is, once it is approved; its status was stored as held. */
export const insertHeld = (tx: Tx, status: string, visibility: number): Promise<number> =>
  tx.run(sql`insert into held_replies (status_id, visibility) values (${status}, ${visibility})`)

/** A held answer, and what its author answered to it below, as far as it is held for that. */
export const heldWith = async (db: Reader, status: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`with recursive held(id, author_id) as (
        select s.id, s.author_id from statuses s where s.id = ${status} and s.visibility = ${HELD}
        union
        select c.id, c.author_id from held join replies r on r.parent_id = held.id
        cross join lateral (select id, author_id from statuses s where s.id = r.child_id
          and s.author_id = held.author_id and s.visibility = ${HELD} and s.deleted_at is null) c)
      select id from held order by id`)
  ).map((row) => row.id)

/** Gives held answers to those for whom they are. Gives those of which nobody has heard before. */
export const freeHeld = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> => {
  await tx.run(sql`update statuses s set rev = rev + 1,
      visibility = (select h.visibility from held_replies h where h.status_id = s.id)
    where s.id = any(${ids}::bigint[])`)
  const rows = await tx.rows<{ id: string }>(sql`with fresh as (
      select status_id from held_replies where status_id = any(${ids}::bigint[]) and not told for update)
    update held_replies h set told = true from fresh where h.status_id = fresh.status_id returning h.status_id as id`)
  return new Set(rows.map((row) => row.id))
}

/** Holds an answer back again that was let go; false for one that never waited for approval, or waits already. */
export const holdAgain = async (tx: Tx, status: string): Promise<boolean> =>
  (await tx.run(sql`update statuses set visibility = ${HELD}, rev = rev + 1
    where id = ${status} and visibility <> ${HELD} and exists (select 1 from held_replies where status_id = ${status})`)) >
  0

export const deleteHeld = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from held_replies where status_id = any(${ids}::bigint[])`)
