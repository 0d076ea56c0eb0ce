/** Fast counters of statuses; each changes in the transaction of the row it counts, so that both always agree. */
import { name, type Reader, sql, type Tx } from '@murmuration/db'

export type Counter = 'replies' | 'reblogs' | 'favourites' | 'quotes'

/** Adds to one counter of one status; never below zero. */
export const addTo = (tx: Tx, counter: Counter, id: string, by: number): Promise<number> =>
  tx.run(sql`insert into status_stats (status_id, ${name(counter)}) values (${id}, greatest(${by}::int, 0))
    on conflict (status_id) do update set ${name(counter)} = greatest(status_stats.${name(counter)} + ${by}::int, 0)`)

/** Adds to one counter of several statuses; an id that stands there twice is counted twice. */
export const addToMany = async (tx: Tx, counter: Counter, ids: readonly string[], by: number): Promise<void> => {
  if (ids.length === 0) return
  // In order of ids, so that two transactions with the same statuses wait for each other instead of locking crosswise.
  await tx.run(sql`insert into status_stats (status_id)
    select distinct id from unnest(${ids}::bigint[]) as one(id) order by id on conflict (status_id) do nothing`)
  await tx.run(sql`with wanted as (
      select id, count(*)::int * ${by}::int as by from unnest(${ids}::bigint[]) as one(id) group by id
    ), held as (
      select c.status_id from status_stats c join wanted w on w.id = c.status_id order by c.status_id for update of c
    )
    update status_stats c set ${name(counter)} = greatest(c.${name(counter)} + w.by, 0)
    from wanted w, held h where c.status_id = w.id and h.status_id = w.id`)
}

export type Counts = Record<Counter, number>

/** Counters by status; absent where all are zero. */
export const countsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, Counts>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Counts & { status_id: string }>(sql`select status_id, replies, reblogs, favourites, quotes
    from status_stats where status_id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ status_id, ...counts }) => [status_id, counts]))
}

export interface Difference {
  status_id: string
  counter: Counter
  counted: number
  kept: number
}

/** Counters that disagree with the rows they count, of the statuses whose counters or rows stand between two ids. */
export const differences = (db: Reader, after: string, limit: number): Promise<(Difference & { last: string })[]> =>
  db.rows(sql`with part as (
      select status_id as id, replies, reblogs, favourites, quotes from status_stats
      where status_id > ${after}::bigint order by status_id limit ${limit}
    ), real as (
      select p.*,
        (select count(*) from replies r join statuses s on s.id = r.child_id
          where r.parent_id = p.id and s.deleted_at is null and s.visibility <= 1)::int as replies_real,
        (select count(*) from reblogs where status_id = p.id)::int as reblogs_real,
        (select count(*) from favourites where status_id = p.id)::int as favourites_real,
        (select count(*) from quotes where quoted_id = p.id and state = 1)::int as quotes_real
      from part p
    )
    select id as status_id, counter, counted, kept, (select max(id) from part) as last from real
    cross join lateral (values ('replies', replies_real, replies), ('reblogs', reblogs_real, reblogs),
      ('favourites', favourites_real, favourites), ('quotes', quotes_real, quotes)) as one(counter, counted, kept)
    where counted <> kept and exists (select 1 from statuses s where s.id = real.id and s.deleted_at is null)`)
