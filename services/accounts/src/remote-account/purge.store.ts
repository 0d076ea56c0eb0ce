/** Reads and deletes remote accounts of a domain, and remote accounts without any relationship to local accounts. */
import { bigints, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/**
 * SQL condition: the remote account `w` has no statuses and no relationships here, and staff decided nothing about it.
 * `limit 1` makes the planner look up each account in an index, however many rows a table has.
 */
const unrelated = (before: string): Sql => sql`w.domain is not null and w.id < ${before}
  and w.silenced_by is null and w.suspended_by is null and w.sensitized_at is null
  and not coalesce((select true from account_stats s where s.account_id = w.id and s.statuses_count > 0 limit 1), false)
  and not coalesce((select true from follows f where f.account_id = w.id limit 1), false)
  and not coalesce((select true from follows f where f.target_id = w.id limit 1), false)
  and not coalesce((select true from follow_requests f where f.account_id = w.id limit 1), false)
  and not coalesce((select true from follow_requests f where f.target_id = w.id limit 1), false)
  and not coalesce((select true from blocks b where b.account_id = w.id limit 1), false)
  and not coalesce((select true from blocks b where b.target_id = w.id limit 1), false)
  and not coalesce((select true from mutes m where m.target_id = w.id limit 1), false)
  and not coalesce((select true from notes n where n.target_id = w.id limit 1), false)
  and not coalesce((select true from collections c where c.account_id = w.id limit 1), false)
  and not coalesce((select true from collection_items i where i.account_id = w.id and i.state in ('pending', 'accepted') limit 1), false)
  and not coalesce((select true from moves m where m.account_id = w.id limit 1), false)
  and not coalesce((select true from moves m where m.target_id = w.id limit 1), false)
  and not coalesce((select true from accounts m where m.moved_to_uri = w.uri limit 1), false)`

export const prunableQuery = (after: string, before: string, limit: number): Sql =>
  sql`with w as materialized (select id, uri, domain, silenced_by, suspended_by, sensitized_at from accounts
      where id > ${after || '0'} order by id limit ${limit})
    select (select count(*)::int from w) as seen, (select max(id) from w) as last,
      array(select w.id::text from w where ${unrelated(before)} order by w.id) as ids`

/** Accounts in a range of ids that may be pruned. Only accounts with an id below `before` are included. */
export const prunableAccounts = async (
  db: Reader,
  after: string,
  before: string,
  limit: number,
): Promise<{ seen: number; last: string | null; ids: string[] }> =>
  (await db.row<{ seen: number; last: string | null; ids: string[] }>(prunableQuery(after, before, limit))) ?? {
    seen: 0,
    last: null,
    ids: [],
  }

export interface Actor {
  id: string
  uri: string
}

export interface Removed extends Actor {
  domain: string
}

/** Deletes the accounts among `ids` that may still be pruned, and returns them. */
export const deletePrunable = (tx: Tx, ids: readonly string[], before: string): Promise<Removed[]> =>
  tx.rows(
    sql`delete from accounts w where w.id = any(${bigints(ids)}) and ${unrelated(before)} returning w.id, w.uri, w.domain`,
  )

/** Returns the ids and the actor ids of the accounts in `ids`. */
export const accountsById = (db: Reader, ids: readonly string[]): Promise<Actor[]> =>
  db.rows(sql`select id, uri from accounts where id = any(${bigints(ids)}) order by id`)

/** Deletes remote accounts with all dependent rows, and returns them. */
export const deleteRemotes = (tx: Tx, ids: readonly string[]): Promise<Removed[]> =>
  tx.rows(sql`delete from accounts where id = any(${bigints(ids)}) and domain is not null returning id, uri, domain`)

/**
 * Position in the accounts of a domain. `handle`: accounts by the domain of their handles. `address`: further accounts by the host of
 * their actor ids.
 */
export interface Position {
  by: 'handle' | 'address'
  /** The domain or host with its characters in reverse order; empty for the first page. */
  turned: string
  id: string
}

/** The next accounts of a domain, in the order of the index. With `below`, the accounts of subdomains are included. */
export const accountsOfDomain = (
  db: Reader,
  {
    domain,
    below,
    sameHost,
  }: {
    domain: string
    below: boolean
    /** True: only accounts whose actor id is on the host. */
    sameHost: boolean
  },
  position: Position,
  limit: number,
): Promise<{ id: string; uri: string; turned: string }[]> => {
  const host = sql`split_part(uri, '/', 3)`
  const [turned, here] =
    position.by === 'handle'
      ? [sql`reverse(domain)`, sql`domain is not null ${sameHost ? sql`and ${host} = domain` : sql``}`]
      : [sql`reverse(${host})`, sql`domain is not null and ${host} <> domain`]
  const top = [...domain].reverse().join('')
  const from = position.turned || top
  const under = below
    ? sql`union all (select 1 as way, id, uri, ${turned} as turned from accounts where ${here} and ${turned} ~>~ ${from}
        and ${turned} ~>=~ ${`${top}.`} and ${turned} ~<~ ${`${top}/`} order by ${turned} using ~<~, id limit ${limit})`
    : sql``
  return db.rows(sql`select id, uri, turned from (
      (select 0 as way, id, uri, ${turned} as turned from accounts
        where ${here} and ${turned} = ${from} and id > ${position.id || '0'} order by id limit ${limit})
      ${under}) found order by way, turned using ~<~, id limit ${limit}`)
}
