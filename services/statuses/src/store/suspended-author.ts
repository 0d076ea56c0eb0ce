/** Authors of other servers who are suspended, and when to look at what they wrote. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface SuspendedAuthor {
  author_id: string
  domain: string
  since: Date
}

/** Notes those who are suspended since the last look; returns how many. Who is gone for good is erased by that. */
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
