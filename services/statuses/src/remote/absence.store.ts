/** SQL of remote statuses that their server did not find, and their next check. */
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

/**
 * Records when a status is requested again although its server still has it. If the status has an absence record
 * already, the record stays as it is.
 */
export const expectAbsence = (
  db: Reader,
  status: string,
  { dueAt, now }: { dueAt: Date; now: Date },
): Promise<number> =>
  db.run(sql`insert into absences (status_id, times, due_at, ask_at, since)
    values (${status}, 0, ${dueAt}, ${dueAt}, ${now}) on conflict (status_id) do nothing`)

export const endAbsences = (db: Reader, statuses: readonly string[]): Promise<number> =>
  db.run(sql`delete from absences where status_id = any(${statuses}::bigint[])`)

/**
 * Deletes the absence record of the status with this uri, because its server has it. A check after an announced deletion stays until it is
 * due, because the server of the status may delete it a moment later.
 */
export const endAbsenceOf = (db: Reader, uri: string, now: Date): Promise<number> =>
  db.run(sql`delete from absences where status_id = (select status_id from post_uris where uri = ${uri})
    and (times > 0 or due_at <= ${now})`)

/** Statuses whose check is due, deferred by `againMs` in case their server does not respond. */
export const takeDueAbsences = async (
  db: Reader,
  it: { now: Date; againMs: number; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ status_id: string }>(sql`update absences
    set ask_at = ${new Date(it.now.getTime() + it.againMs)}
    where status_id in (select status_id from absences where ask_at <= ${it.now} order by ask_at limit ${it.limit}
      for update skip locked) returning status_id`)
  return rows.map((row) => row.status_id)
}

/**
 * Deletes at most `limit` records older than 30 days, of servers that no longer respond. Returns the number of deleted
 * rows.
 */
export const deleteAbsences = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from absences where status_id in (
    select status_id from absences where since < now() - interval '30 days' limit ${limit})`)
