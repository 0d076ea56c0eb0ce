/** Servers that read statuses of ours of their own accord. */
import { type Reader, sql } from '@murmuration/db'

/** Those of the statuses that the server behind this inbox is not known to have read. */
export const unreadAmong = async (db: Reader, statusIds: readonly string[], inbox: string): Promise<Set<string>> => {
  const rows = await db.rows<{ id: string }>(sql`select one.id from unnest(${statusIds}::bigint[]) as one(id)
    where not exists (select 1 from readers r join inboxes i on i.id = r.inbox_id
      where r.status_id = one.id and i.url = ${inbox})`)
  return new Set(rows.map((row) => row.id))
}

/** Notes that it read these, and so knows who wrote them; the inbox must be known. */
export const insertReader = (
  db: Reader,
  it: { inbox: string; statuses: readonly { id: string; author: string }[] },
): Promise<number> =>
  db.run(sql`with one as (
      select id, author from unnest(${it.statuses.map((one) => one.id)}::bigint[],
        ${it.statuses.map((one) => one.author)}::bigint[]) as one(id, author)),
    reader as (insert into readers (status_id, inbox_id)
      select one.id, i.id from one cross join inboxes i where i.url = ${it.inbox} order by one.id
      on conflict do nothing returning status_id, inbox_id)
    insert into acquaintances (actor_id, inbox_id) select distinct one.author, reader.inbox_id
      from reader join one on one.id = reader.status_id on conflict do nothing`)

/** Where those are who read a status. */
export const readersOf = async (db: Reader, statusId: string): Promise<string[]> => {
  const rows = await db.rows<{ url: string }>(sql`select i.url from readers r join inboxes i on i.id = r.inbox_id
    where r.status_id = ${statusId} order by i.url`)
  return rows.map((row) => row.url)
}

export const forgetReaders = (db: Reader, statusId: string): Promise<number> =>
  db.run(sql`delete from readers where status_id = ${statusId}`)
