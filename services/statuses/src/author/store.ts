/** Suspended authors, domains taken off the list of limited federation, and authors with rows here. */
import { bigints, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/** Authors of other servers who are suspended, and when to look at what they wrote. */
export interface SuspendedAuthor {
  author_id: string
  domain: string
  since: Date
}

/** Records authors suspended since the last look; returns how many. Deleted accounts are excluded: their removal erases them. */
export const noteSuspended = (db: Reader, it: { now: Date; due: Date; most: number }): Promise<number> =>
  db.run(sql`insert into suspended_authors (author_id, domain, since, due_at)
    select a.account_id, a.domain, ${it.now}, ${it.due} from author_flags a
    where (a.silenced or a.suspended) and a.suspended and not a.local and a.domain is not null
      and a.rev <> 9223372036854775807
      and not exists (select 1 from suspended_authors s where s.author_id = a.account_id)
    limit ${it.most} on conflict do nothing`)

/** Forgets those of them whose suspension was lifted in the moment in which it was noted. */
export const endLifted = (tx: Tx, now: Date): Promise<number> =>
  tx.run(sql`delete from suspended_authors s where s.due_at <= ${now} and not exists (
    select 1 from author_flags a where a.account_id = s.author_id and a.suspended and a.rev <> 9223372036854775807)`)

/** Those whose time has come, held until the transaction ends. */
export const dueSuspended = (tx: Tx, now: Date, most: number): Promise<SuspendedAuthor[]> =>
  tx.rows(sql`select author_id, domain, since from suspended_authors where due_at <= ${now}
    order by due_at limit ${most} for update skip locked`)

/** From when the days of each count, and when it is looked at next; null for those whose statuses are being erased. */
export const putNextLooks = (
  tx: Tx,
  looks: readonly { author: string; since: Date; at: Date | null }[],
): Promise<number> =>
  tx.run(sql`update suspended_authors s set due_at = n.at, since = n.since
    from unnest(${looks.map((one) => one.author)}::bigint[], ${looks.map((one) => one.since)}::timestamptz[],
      ${looks.map((one) => one.at)}::timestamptz[]) as n(id, since, at)
    where s.author_id = n.id`)

/** Forgets the suspension of an author who is not suspended any more, or who is gone. */
export const endSuspension = (db: Reader, author: string): Promise<number> =>
  db.run(sql`delete from suspended_authors s where s.author_id = ${author} and not exists (
    select 1 from author_flags a where a.account_id = s.author_id and a.suspended and a.rev <> 9223372036854775807)`)

/** Notes that a server was taken off the list then. */
export const putDelisted = (tx: Tx, domain: string, at: Date): Promise<number> =>
  tx.run(sql`insert into delisted_domains (domain, at) values (${domain}, ${at})
    on conflict (domain) do update set at = greatest(delisted_domains.at, excluded.at)`)

/** All of them, because staff decided about each. */
export const delistedDomains = async (db: Reader): Promise<{ domain: string; at: Date }[]> =>
  db.rows(sql`select domain, at from delisted_domains`)

export const deleteDelisted = (db: Reader, domains: readonly string[]): Promise<number> =>
  db.run(sql`delete from delisted_domains where domain = any(${domains}::text[])`)

/** Accounts with statuses, mentions, favourites or votes. */
export const involvedQuery = (ids: readonly string[]): Sql =>
  sql`select id from unnest(${ids}::bigint[]) as wanted(id)
    where coalesce((select true from statuses s where s.author_id = wanted.id and s.deleted_at is null limit 1), false)
      or coalesce((select true from mentions m where m.account_id = wanted.id limit 1), false)
      or coalesce((select true from favourites f where f.account_id = wanted.id limit 1), false)
      or coalesce((select true from reblogs r where r.account_id = wanted.id limit 1), false)
      or coalesce((select true from poll_votes v where v.account_id = wanted.id limit 1), false)`

/** The accounts among these that something here refers to. */
export const involvedOf = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (await db.rows<{ id: string }>(involvedQuery(ids))).map((row) => row.id)

/** The accounts among these that wrote here or were deleted. */
export const authorsAmong = (
  db: Reader,
  ids: readonly string[],
): Promise<{ id: string; local: boolean; domain: string | null }[]> =>
  db.rows(sql`select account_id as id, local, domain from author_flags where account_id = any(${bigints(ids)})`)
