/** Windows of accounts for upkeep, in the order of their ids, each read by one index. */
import { bigints, type Reader, type Sql, sql, type Tx, texts } from '@murmuration/db'

export interface WindowRow {
  id: string
  uri: string
  domain: string | null
  fetched_at: Date | null
  fetch_failures: number
}

const columns = sql`a.id, a.uri, a.domain, a.fetched_at, a.fetch_failures`

/** The next accounts after an id: of these domains, or of every server and this one. */
export const accountWindow = (
  db: Reader,
  { after, domains, limit }: { after: string; domains: readonly string[]; limit: number },
): Promise<WindowRow[]> =>
  domains.length === 0
    ? db.rows(sql`select ${columns} from accounts a where a.id > ${after || '0'} order by a.id limit ${limit}`)
    : db.rows(sql`select a.* from unnest(${texts(domains)}) as wanted(domain)
        cross join lateral (select ${columns} from accounts a
          where a.domain is not null and reverse(a.domain) = reverse(wanted.domain) and a.id > ${after || '0'}
          order by a.id limit ${limit}) a
        order by a.id limit ${limit}`)

/** The planner's estimate of the number of accounts. */
export const estimateAccounts = async (db: Reader): Promise<number> =>
  (await db.row<{ n: number }>(sql`select reltuples::float8 as n from pg_class where oid = 'accounts'::regclass`))?.n ??
  0

/**
 * Conditions of a remote account `w` that no local account has to do with, and that staff decided nothing about. The limits make
 * the planner look up each account in an index, however many rows a table has.
 */
const unrelated = (before: string): Sql => sql`w.domain is not null and w.id < ${before}
  and w.silenced_at is null and w.suspended_at is null and w.sensitized_at is null
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

/** Remote accounts of a window that were not read since a time; without `includeFollows`, those without follows here. */
export const profileMediaWindow = async (
  db: Reader,
  it: { after: string; before: Date; includeFollows: boolean; limit: number },
): Promise<{ seen: number; last: string | null; ids: string[] }> => {
  const unfollowed = sql`and not coalesce((select true from follows f where f.account_id = w.id limit 1), false)
    and not coalesce((select true from follows f where f.target_id = w.id limit 1), false)`
  const row = await db.row<{ seen: number; last: string | null; ids: string[] }>(sql`with w as materialized (
      select id, domain, fetched_at from accounts where id > ${it.after || '0'} order by id limit ${it.limit})
    select (select count(*)::int from w) as seen, (select max(id) from w) as last,
      array(select w.id::text from w where w.domain is not null and (w.fetched_at is null or w.fetched_at < ${it.before})
        ${it.includeFollows ? sql`` : unfollowed} order by w.id) as ids`)
  return row ?? { seen: 0, last: null, ids: [] }
}

export const prunableQuery = (after: string, before: string, limit: number): Sql =>
  sql`with w as materialized (select id, uri, domain, silenced_at, suspended_at, sensitized_at from accounts
      where id > ${after || '0'} order by id limit ${limit})
    select (select count(*)::int from w) as seen, (select max(id) from w) as last,
      array(select w.id::text from w where ${unrelated(before)} order by w.id) as ids`

/** Accounts of a window that may be pruned; only those with an id below `before`. */
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

/** Deletes those of these accounts that may still be pruned. */
export const deletePrunable = (
  tx: Tx,
  ids: readonly string[],
  before: string,
): Promise<{ id: string; uri: string }[]> =>
  tx.rows(sql`delete from accounts w where w.id = any(${bigints(ids)}) and ${unrelated(before)} returning w.id, w.uri`)

/** Local accounts after an id with their lists, of those that were here since a time. */
export const feedOwnersAfter = (
  db: Reader,
  it: { after: string; limit: number; since: Date | null; id: string | null },
): Promise<{ id: string; lists: string[] }[]> =>
  db.rows(sql`select a.id, array(select l.id::text from lists l where l.account_id = a.id order by l.id) as lists
    from users u join accounts a on a.id = u.account_id
    where u.account_id > ${it.after || '0'} and a.removed_at is null
      ${it.id === null ? sql`` : sql`and u.account_id = ${it.id}`}
      ${it.since === null ? sql`` : sql`and u.active_at > ${it.since}`}
    order by u.account_id limit ${it.limit}`)

/** Returns the local accounts among these, and the accounts with a follower. */
export const involvedAmong = async (
  db: Reader,
  ids: readonly string[],
): Promise<{ local: string[]; followed: string[] }> => {
  const rows = await db.rows<{
    id: string
    local: boolean
    followed: boolean
  }>(sql`select a.id, a.domain is null as local,
      coalesce((select true from follows f where f.target_id = a.id limit 1), false) as followed
    from accounts a where a.id = any(${bigints(ids)})`)
  const idsOf = (is: 'local' | 'followed') => rows.filter((row) => row[is]).map((row) => row.id)
  return { local: idsOf('local'), followed: idsOf('followed') }
}

/** Ids and actor ids of accounts. */
export const accountsById = (db: Reader, ids: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  db.rows(sql`select id, uri from accounts where id = any(${bigints(ids)}) order by id`)

/** Deletes remote accounts with everything that belongs to them. */
export const deleteRemotes = (tx: Tx, ids: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  tx.rows(sql`delete from accounts where id = any(${bigints(ids)}) and domain is not null returning id, uri`)

/** Position of a walk through the accounts of a domain: by the domain of handles, or by the host of actor ids that differs from it. */
export interface Place {
  by: 'handle' | 'address'
  /** The reversed name there; empty for the first page. */
  turned: string
  id: string
}

/** The next accounts of a domain, and with `below` of everything below it, in the order of the index. */
export const accountsOfDomain = (
  db: Reader,
  { domain, below, sameHost }: { domain: string; below: boolean /** Only actors on that host. */; sameHost: boolean },
  place: Place,
  limit: number,
): Promise<{ id: string; uri: string; turned: string }[]> => {
  const host = sql`split_part(uri, '/', 3)`
  const [turned, here] =
    place.by === 'handle'
      ? [sql`reverse(domain)`, sql`domain is not null ${sameHost ? sql`and ${host} = domain` : sql``}`]
      : [sql`reverse(${host})`, sql`domain is not null and ${host} <> domain`]
  const top = [...domain].reverse().join('')
  const from = place.turned || top
  const under = below
    ? sql`union all (select 1 as way, id, uri, ${turned} as turned from accounts where ${here} and ${turned} ~>~ ${from}
        and ${turned} ~>=~ ${`${top}.`} and ${turned} ~<~ ${`${top}/`} order by ${turned} using ~<~, id limit ${limit})`
    : sql``
  return db.rows(sql`select id, uri, turned from (
      (select 0 as way, id, uri, ${turned} as turned from accounts
        where ${here} and ${turned} = ${from} and id > ${place.id || '0'} order by id limit ${limit})
      ${under}) found order by way, turned using ~<~, id limit ${limit}`)
}

/** Local accounts with a signing key, the next after an id. */
export const keyHoldersAfter = async (db: Reader, after: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select k.account_id as id from keys k join accounts a on a.id = k.account_id
      where k.account_id > ${after || '0'} and a.domain is null and a.removed_at is null and a.suspended_at is null
      order by k.account_id limit ${limit}`)
  ).map((row) => row.id)

/** Replaces keys. The old private key stays for the Update that carries the new public one. */
export const replaceKeys = (
  tx: Tx,
  rows: readonly { account_id: string; public_pem: string; private_sealed: string }[],
  at: Date,
): Promise<number> =>
  tx.run(sql`update keys k set previous_sealed = k.private_sealed, public_pem = fresh.public_pem,
      private_sealed = fresh.private_sealed, rotated_at = ${at}
    from unnest(${bigints(rows.map((row) => row.account_id))}, ${rows.map((row) => row.public_pem)}::text[],
      ${rows.map((row) => row.private_sealed)}::text[]) as fresh(account_id, public_pem, private_sealed)
    where k.account_id = fresh.account_id`)
