/**
 * Reads deleted statuses and undone boosts, with the deliveries of their Create or Announce, and of their Delete or
 * Undo.
 */
import { type Reader, sql } from '@murmuration/db'

export interface EndRow {
  /** Id of the deleted status or undone boost. */
  about: string
  kind: 'Delete' | 'Undo'
  created_at: Date
}

/** Maximum number of Deletes and Undos that are read for one list. Most Undos of an account may be of follows and favourites. */
export const MAX_ENDS_READ = 5_000

export interface Ends {
  rows: EndRow[]
  /** Time of the last Delete or Undo that was read, in the order of the list; null if all were read. */
  readUpTo: Date | null
}

/**
 * The Deletes of statuses and Undos of boosts of an account with ids from `from` on, at most `limit`. At most `MAX_ENDS_READ` of its
 * Deletes and Undos are read.
 */
export const endsOfAccount = async (
  db: Reader,
  actorId: string,
  { from, limit, newestFirst }: { from: string; limit: number; newestFirst: boolean },
): Promise<Ends> => {
  const order = newestFirst ? sql`desc` : sql`asc`
  const found = await db.rows<{ n: number; last_at: Date | null } & { [Name in keyof EndRow]: EndRow[Name] | null }>(
    sql`with looked_at as materialized (select id, uri, object_uri, kind, created_at from activities
        where actor_id = ${actorId} and kind in ('Delete', 'Undo') and id >= ${from}::bigint
        order by id ${order} limit ${MAX_ENDS_READ}),
      ends as (select id, object_uri as about, kind, created_at from looked_at
        where uri in (object_uri || '/activity#undo', object_uri || '#delete') order by id ${order} limit ${limit})
      select (select count(*)::int from looked_at) as n,
        (select created_at from looked_at order by id ${newestFirst ? sql`asc` : sql`desc`} limit 1) as last_at,
        ends.about, ends.kind, ends.created_at
      from (select) one left join ends on true order by ends.id ${order}`,
  )
  const rows = found.filter((row): row is typeof row & EndRow => row.about !== null)
  const [first] = found
  if (rows.length === limit) return { rows, readUpTo: rows.at(-1)?.created_at ?? null }
  return { rows, readUpTo: first !== undefined && first.n >= MAX_ENDS_READ ? first.last_at : null }
}

export interface EndedRow {
  about: string
  /** True for the Delete or Undo, false for the Create or Announce. */
  is_end: boolean
  created_at: Date
  servers: number
  delivered: number
  pending: number
  is_folded: boolean
}

/**
 * Deliveries of the Create or Announce of these objects, and of their Delete or Undo, by host. `queues` selects hosts;
 * null: all hosts.
 */
export const endedDeliveries = (
  db: Reader,
  abouts: readonly string[],
  queues: readonly string[] | null,
): Promise<EndedRow[]> =>
  db.rows(sql`with of as (select id, object_uri as about, kind in ('Delete', 'Undo') as is_end, created_at, reached
      from activities where object_uri = any(${abouts}::text[]) and kind in ('Create', 'Announce', 'Delete', 'Undo')),
    sent as (select of.about, of.is_end, d.lane_id, d.state from of join deliveries d on d.activity_id = of.id
      union all select of.about, of.is_end, i.lane_id, 1
        from of cross join unnest(of.reached) as inbox(id) join inboxes i on i.id = inbox.id),
    servers as (select about, is_end, lane_id, bool_or(state = 1) as delivered, bool_or(state = 0) as pending from sent
      where ${queues === null ? sql`true` : sql`lane_id = any(${queues}::bigint[])`} group by about, is_end, lane_id),
    counts as (select about, is_end, count(*)::int as servers, count(*) filter (where delivered)::int as delivered,
        count(*) filter (where pending and not delivered)::int as pending from servers group by about, is_end)
    select of.about, of.is_end, min(of.created_at) as created_at, bool_or(of.reached is not null) as is_folded,
      coalesce(max(c.servers), 0) as servers, coalesce(max(c.delivered), 0) as delivered, coalesce(max(c.pending), 0) as pending
    from of left join counts c on c.about = of.about and c.is_end = of.is_end group by of.about, of.is_end`)
