/** Remote statuses that were not found where they live, and when to look there again. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface Absence {
  times: number
  due_at: Date
}

/** Absence record of a status, locked until the transaction ends. */
export const holdAbsence = (tx: Tx, status: string): Promise<Absence | null> =>
  tx.row(sql`select times, due_at from absences where status_id = ${status} for update`)

export const putAbsence = (tx: Tx, status: string, it: Absence, now: Date): Promise<number> =>
  tx.run(sql`insert into absences (status_id, times, due_at, ask_at, since)
    values (${status}, ${it.times}, ${it.due_at}, ${it.due_at}, ${now})
    on conflict (status_id) do update set times = excluded.times, due_at = excluded.due_at, ask_at = excluded.ask_at`)

export const endAbsences = (db: Reader, statuses: readonly string[]): Promise<number> =>
  db.run(sql`delete from absences where status_id = any(${statuses}::bigint[])`)

/** It is there after all. */
export const endAbsenceOf = (db: Reader, uri: string): Promise<number> =>
  db.run(sql`delete from absences where status_id = (select status_id from post_uris where uri = ${uri})`)

/** Those whose time has come, put off by `againMs` for when nobody answers. */
export const takeDueAbsences = async (
  db: Reader,
  it: { now: Date; againMs: number; most: number },
): Promise<string[]> => {
  const rows = await db.rows<{ status_id: string }>(sql`update absences
    set ask_at = ${new Date(it.now.getTime() + it.againMs)}
    where status_id in (select status_id from absences where ask_at <= ${it.now} order by ask_at limit ${it.most}
      for update skip locked) returning status_id`)
  return rows.map((row) => row.status_id)
}

/** Deletes those of servers that do not answer any more; returns how many. */
export const forgetAbsences = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from absences where status_id in (
    select status_id from absences where since < now() - interval '30 days' limit ${most})`)
