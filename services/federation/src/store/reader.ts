/** Servers that read a status of ours of their own accord. */
import { type Reader, sql } from '@murmuration/db'

/** True when the server behind this inbox is known to have read the status. */
export const isReader = async (db: Reader, statusId: string, inbox: string): Promise<boolean> =>
  (await db.row(sql`select 1 from readers r join inboxes i on i.id = r.inbox_id
    where r.status_id = ${statusId} and i.url = ${inbox}`)) !== null

/** Notes that it did, and so knows the author; the inbox must be known. */
export const insertReader = (db: Reader, it: { status: string; author: string; inbox: string }): Promise<number> =>
  db.run(sql`with reader as (insert into readers (status_id, inbox_id)
      select ${it.status}, id from inboxes where url = ${it.inbox} on conflict do nothing returning inbox_id)
    insert into acquaintances (actor_id, inbox_id) select ${it.author}, inbox_id from reader on conflict do nothing`)

/** Where those are who read a status. */
export const readersOf = async (db: Reader, statusId: string): Promise<string[]> => {
  const rows = await db.rows<{ url: string }>(sql`select i.url from readers r join inboxes i on i.id = r.inbox_id
    where r.status_id = ${statusId} order by i.url`)
  return rows.map((row) => row.url)
}

export const forgetReaders = (db: Reader, statusId: string): Promise<number> =>
  db.run(sql`delete from readers where status_id = ${statusId}`)
