/** Stores the servers that a crawl found and the results of their visits, and reads both. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'
import { NEW_BELOW_BACKGROUND } from '../resolver/index.js'
import type { Numbers } from './rules.js'

export type ServerState = 'waiting' | 'visited' | 'failed' | 'blocked'

export interface FoundServer {
  host: string
  site: string
  state: ServerState
}

export interface Visited {
  host: string
  state: ServerState
  /** Number of visits of the server. Visits that a local rate limit prevented do not count. */
  tries: number
  numbers: Numbers | null
}

/** Maximum number of servers of one crawl, and of servers below one registered domain. */
export const MAX_SERVERS = 200_000
export const MAX_BELOW = 200

/** Hosts of known servers that sort after `after`, in order. */
export const knownPeers = async (db: Reader, after: string, limit: number): Promise<string[]> =>
  (await db.rows<{ host: string }>(sql`select host from peers where host > ${after} order by host limit ${limit}`)).map(
    (row) => row.host,
  )

/**
 * Stores found servers that the crawl does not have, up to the numbers in `limits`. Returns the number of stored
 * servers.
 *
 * Only `NEW_BELOW_BACKGROUND` servers of a registered domain are due in one minute, because that is the rate limit of new
 * hosts.
 */
export const addServers = async (
  tx: Tx,
  task: string,
  found: readonly FoundServer[],
  at: Date,
  limits = { all: MAX_SERVERS, below: MAX_BELOW },
): Promise<number> => {
  if (found.length === 0) return 0
  return tx.run(sql`with fresh as (
      select f.host, f.site, f.state, row_number() over (partition by f.site order by f.host) as n
      from unnest(${found.map((one) => one.host)}::text[], ${found.map((one) => one.site)}::text[],
        ${found.map((one) => one.state)}::text[]) as f(host, site, state)
      where not exists (select 1 from crawled_servers c where c.task_id = ${task} and c.host = f.host)),
    have as (select site, count(*) as n from crawled_servers
      where task_id = ${task} and site in (select site from fresh) group by site)
    insert into crawled_servers (task_id, host, site, state, due_at)
    select ${task}, f.host, f.site, f.state,
      ${at}::timestamptz + make_interval(mins => ((f.n + coalesce(h.n, 0) - 1) / ${NEW_BELOW_BACKGROUND})::int)
    from fresh f left join have h on h.site = f.site
    where f.n + coalesce(h.n, 0) <= ${limits.below}
    limit greatest(0, ${limits.all} - (select count(*) from crawled_servers where task_id = ${task}))
    on conflict do nothing`)
}

/** Waiting servers that are due at `now`, by due time. */
export const waitingServers = (
  db: Reader,
  task: string,
  now: Date,
  limit: number,
): Promise<{ host: string; tries: number }[]> =>
  db.rows(sql`select host, tries from crawled_servers where task_id = ${task} and state = 'waiting' and due_at <= ${now}
    order by due_at, id limit ${limit}`)

/** Time at which the next waiting server is due; null if none waits. */
export const nextDueAt = async (db: Reader, task: string): Promise<Date | null> =>
  (
    await db.row<{ at: Date | null }>(
      sql`select min(due_at) as at from crawled_servers where task_id = ${task} and state = 'waiting'`,
    )
  )?.at ?? null

/** Stores results of visits. Servers whose state is still `waiting` are due at `retryAt`. */
export const applyVisits = async (tx: Tx, task: string, visited: readonly Visited[], retryAt: Date): Promise<void> => {
  if (visited.length === 0) return
  const rows = visited.map(({ host, state, tries, numbers }) => ({ host, state, tries, ...numbers }))
  await tx.run(sql`update crawled_servers c set state = v.state, tries = v.tries, due_at = ${retryAt},
      software = v.software, version = v.version, users = v.users, statuses = v.statuses,
      active_week = v.active_week, joined_week = v.joined_week
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(host text, state text, tries smallint, software text, version text,
      users bigint, statuses bigint, active_week bigint, joined_week bigint)
    where c.task_id = ${task} and c.host = v.host`)
}

export interface ServerRow extends Numbers {
  id: string
  host: string
  state: ServerState
}

/** One page of the servers of a crawl, last found first. */
export const serverPage = async (db: Reader, task: string, page: Cursor): Promise<ServerRow[]> =>
  newestFirst(
    await db.rows<ServerRow>(sql`select id, host, state, software, version, users::float8 as users,
        statuses::float8 as statuses, active_week::float8 as active_week, joined_week::float8 as joined_week
      from crawled_servers where task_id = ${task} ${keyset(sql`id`, page)}`),
    page,
  )

export interface Sums {
  waiting: number
  visited: number
  failed: number
  blocked: number
  users: number
  statuses: number
  active_week: number
  joined_week: number
}

export const sumsOf = async (db: Reader, task: string): Promise<Sums> => {
  const [sums] = await db.rows<Sums>(sql`select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'visited')::int as visited, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'blocked')::int as blocked, coalesce(sum(users), 0)::float8 as users,
      coalesce(sum(statuses), 0)::float8 as statuses, coalesce(sum(active_week), 0)::float8 as active_week,
      coalesce(sum(joined_week), 0)::float8 as joined_week
    from crawled_servers where task_id = ${task}`)
  if (!sums) throw new Error('the sums have no row')
  return sums
}
