/** SQL of suspended authors, domains removed from the allow list, and accounts with rows in this service. */
import { bigints, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/** A suspended remote author. `since`: start of the retention period. */
export interface SuspendedAuthor {
  author_id: string
  domain: string
  since: Date
}

/**
 * Records remote authors suspended since the last run. Returns the number of recorded authors. Deleted accounts are
 * excluded, because their removal erases their statuses.
 */
export const recordSuspended = (db: Reader, it: { now: Date; due: Date; limit: number }): Promise<number> =>
  db.run(sql`insert into suspended_authors (author_id, domain, since, due_at)
    select a.account_id, a.domain, ${it.now}, ${it.due} from author_flags a
    where (a.silenced or a.suspended) and a.suspended and not a.local and a.domain is not null
      and a.rev <> 9223372036854775807
      and not exists (select 1 from suspended_authors s where s.author_id = a.account_id)
    limit ${it.limit} on conflict do nothing`)

/**
 * Deletes due entries of authors who are no longer suspended: their suspension was lifted while the entry was being
 * stored.
 */
export const removeUnsuspended = (tx: Tx, now: Date): Promise<number> =>
  tx.run(sql`delete from suspended_authors s where s.due_at <= ${now} and not exists (
    select 1 from author_flags a where a.account_id = s.author_id and a.suspended and a.rev <> 9223372036854775807)`)

/** Suspended authors whose next check is due, locked until the transaction ends. */
export const dueSuspended = (tx: Tx, now: Date, limit: number): Promise<SuspendedAuthor[]> =>
  tx.rows(sql`select author_id, domain, since from suspended_authors where due_at <= ${now}
    order by due_at limit ${limit} for update skip locked`)

/**
 * Sets the start of the retention period (`since`) and the time of the next check (`at`) of each suspended author. `at`
 * is null if the erasure of the statuses has begun, and no further check follows.
 */
export const putNextLooks = (
  tx: Tx,
  looks: readonly { author: string; since: Date; at: Date | null }[],
): Promise<number> =>
  tx.run(sql`update suspended_authors s set due_at = n.at, since = n.since
    from unnest(${looks.map((one) => one.author)}::bigint[], ${looks.map((one) => one.since)}::timestamptz[],
      ${looks.map((one) => one.at)}::timestamptz[]) as n(id, since, at)
    where s.author_id = n.id`)

/** Deletes an author from the list of suspended authors, because the suspension ended or the account was removed. */
export const endSuspension = (db: Reader, author: string): Promise<number> =>
  db.run(sql`delete from suspended_authors s where s.author_id = ${author} and not exists (
    select 1 from author_flags a where a.account_id = s.author_id and a.suspended and a.rev <> 9223372036854775807)`)

/** Records when a domain was removed from the allow list. */
export const putDelisted = (tx: Tx, domain: string, at: Date): Promise<number> =>
  tx.run(sql`insert into delisted_domains (domain, at) values (${domain}, ${at})
    on conflict (domain) do update set at = greatest(delisted_domains.at, excluded.at)`)

/** All domains removed from the allow list. Staff removed each one by hand, so their number is small. */
export const delistedDomains = async (db: Reader): Promise<{ domain: string; at: Date }[]> =>
  db.rows(sql`select domain, at from delisted_domains`)

export const deleteDelisted = (db: Reader, domains: readonly string[]): Promise<number> =>
  db.run(sql`delete from delisted_domains where domain = any(${domains}::text[])`)

/** Query for the accounts in `ids` with statuses, mentions, favourites, boosts or votes. */
export const involvedQuery = (ids: readonly string[]): Sql =>
  sql`select id from unnest(${ids}::bigint[]) as wanted(id)
    where coalesce((select true from statuses s where s.author_id = wanted.id and s.deleted_at is null limit 1), false)
      or coalesce((select true from mentions m where m.account_id = wanted.id limit 1), false)
      or coalesce((select true from favourites f where f.account_id = wanted.id limit 1), false)
      or coalesce((select true from reblogs r where r.account_id = wanted.id limit 1), false)
      or coalesce((select true from poll_votes v where v.account_id = wanted.id limit 1), false)`

/** The accounts in `ids` that rows of this service refer to. */
export const involvedOf = async (db: Reader, ids: readonly string[]): Promise<string[]> =>
  (await db.rows<{ id: string }>(involvedQuery(ids))).map((row) => row.id)

/** The accounts in `ids` with stored author flags: authors of statuses, and deleted accounts. */
export const authorsAmong = (
  db: Reader,
  ids: readonly string[],
): Promise<{ id: string; local: boolean; domain: string | null }[]> =>
  db.rows(sql`select account_id as id, local, domain from author_flags where account_id = any(${bigints(ids)})`)
