/** SQL of counters of statuses. Each changes in the transaction that changes the counted row. */
import { bigints, name, type Reader, sql, type Tx } from '@murmuration/db'
import { HELD } from '../visibility/rules.js'

/** Counters of statuses. `reactions` only shows whether a status has emoji reactions; clients do not receive it. */
export const counters = ['replies', 'reblogs', 'favourites', 'quotes', 'reactions'] as const
export type Counter = (typeof counters)[number]

/** Adds to one counter of a status; never below zero. */
export const addTo = (tx: Tx, counter: Counter, id: string, by: number): Promise<number> =>
  tx.run(sql`insert into status_stats (status_id, ${name(counter)}) values (${id}, greatest(${by}::int, 0))
    on conflict (status_id) do update set ${name(counter)} = greatest(status_stats.${name(counter)} + ${by}::int, 0)`)

/** Adds to one counter of several statuses. An id that is listed twice is counted twice. */
export const addToMany = async (tx: Tx, counter: Counter, ids: readonly string[], by: number): Promise<void> => {
  if (ids.length === 0) return
  // Rows are locked in order of ids, so that concurrent transactions cannot deadlock.
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

export interface RemoteCounts {
  favourites: number | null
  reblogs: number | null
}

/**
 * Stores the counts of a remote status's server. Counts of the remote server are used for display only. Null and zero
 * values change nothing.
 */
export const putRemoteCounts = async (db: Reader, id: string, { favourites, reblogs }: RemoteCounts): Promise<void> => {
  if (!favourites && !reblogs) return
  await db.run(sql`insert into status_stats (status_id, told_favourites, told_reblogs)
    values (${id}, ${favourites}::int, ${reblogs}::int)
    on conflict (status_id) do update set told_favourites = coalesce(excluded.told_favourites, status_stats.told_favourites),
      told_reblogs = coalesce(excluded.told_reblogs, status_stats.told_reblogs)
    where (status_stats.told_favourites, status_stats.told_reblogs) is distinct from
      (coalesce(excluded.told_favourites, status_stats.told_favourites), coalesce(excluded.told_reblogs, status_stats.told_reblogs))`)
}

export type Counts = Record<Exclude<Counter, 'reactions'>, number>

/** Counters by status. Statuses without a row are missing; their counters are zero. */
export const countsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, Counts>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Counts & { status_id: string }>(sql`select status_id, replies, reblogs, favourites, quotes
    from status_stats where status_id = any(${bigints(ids)})`)
  return new Map(rows.map(({ status_id, ...counts }) => [status_id, counts]))
}

export interface Difference {
  id: string
  counter: Counter
  counted: number
  kept: number
}

/** Locks the next rows of counters, by status id, until the transaction ends. Returns the status ids of the locked rows. */
export const lockNextCounters = async (tx: Tx, after: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select status_id as id from status_stats where status_id > ${after}::bigint
      order by status_id limit ${limit} for update`)
  ).map((row) => row.id)

/** Counters of these statuses that differ from the number of rows they count. */
export const differences = (db: Reader, ids: readonly string[]): Promise<Difference[]> =>
  db.rows(sql`with real as (
      select p.*,
        (select count(*) from replies r join statuses s on s.id = r.child_id
          where r.parent_id = p.status_id and s.deleted_at is null and s.visibility <= 1)::int as replies_real,
        (select count(*) from reblogs where status_id = p.status_id)::int as reblogs_real,
        (select count(*) from favourites where status_id = p.status_id)::int as favourites_real,
        (select count(*) from quotes q join statuses s on s.id = q.status_id
          where q.quoted_id = p.status_id and q.state = 1 and s.visibility <> ${HELD})::int as quotes_real,
        (select count(*) from reactions where status_id = p.status_id)::int as reactions_real
      from status_stats p where p.status_id = any(${bigints(ids)})
    )
    select status_id as id, counter, counted, kept from real
    cross join lateral (values ('replies', replies_real, replies), ('reblogs', reblogs_real, reblogs),
      ('favourites', favourites_real, favourites), ('quotes', quotes_real, quotes), ('reactions', reactions_real, reactions)) as one(counter, counted, kept)
    where counted <> kept and exists (select 1 from statuses s where s.id = real.status_id and s.deleted_at is null)
    order by status_id, counter`)

/** Sets one counter of statuses to the counted numbers of rows. */
export const setCounter = async (tx: Tx, counter: Counter, counted: readonly Difference[]): Promise<void> => {
  if (counted.length === 0) return
  await tx.run(sql`with held as (select status_id from status_stats
      where status_id = any(${bigints(counted.map((one) => one.id))}) order by status_id for update)
    update status_stats c set ${name(counter)} = real.counted
    from unnest(${counted.map((one) => one.id)}::bigint[], ${counted.map((one) => one.counted)}::int[]) as real(id, counted), held
    where c.status_id = real.id and held.status_id = real.id`)
}
