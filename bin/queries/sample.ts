/** Queries with wrong types, described in their comments. The check must find each; see `bin/test/queries.test.ts`. */
import { keyset, name, type Reader, type Sql, sql } from '@murmuration/db'

type Kind = 'blocks' | 'mutes'

const columns = sql`id, username`

export const right = {
  /** Correct: fragments, conditions, names and helpers are evaluated. */
  page: (db: Reader, domain: string | null, page: { limit: number }) =>
    db.rows<{ id: string; username: string }>(
      sql`select ${columns} from accounts where ${domain === null ? sql`domain is null` : sql`domain = ${domain}`} ${keyset(sql`id`, page)}`,
    ),
  /** Correct: only one of these tables has the column, and both optional parts depend on the same choice. */
  ends: (db: Reader, which: Kind) =>
    db.rows<{ id: string; at: Date | null }>(
      sql`select id, ${which === 'mutes' ? sql`expires_at` : sql`null`} as at from ${name(which)}`,
    ),
  joined: (db: Reader, conditions: readonly string[]) =>
    db.rows<{ id: string }>(
      sql`select id from accounts where ${conditions.map((one) => sql`domain = ${one}`).reduce((all, one) => sql`${all} or ${one}`)}`,
    ),
  order: (db: Reader, ids: string[]) =>
    db.run(sql`with gone as (delete from lists where account_id = any(${ids}::bigint[]))
      insert into account_search (account_id, words) select id, ''::tsvector from unnest(${ids}::bigint[]) as given(id)
      order by id on conflict (account_id) do update set words = excluded.words`),
}

const byCondition = (db: Reader, condition: Sql) =>
  db.rows<{ id: string }>(sql`select id from accounts where ${condition}`)

export const wrong = {
  /** bigint is received as text. */
  number: (db: Reader) => db.rows<{ id: number }>(sql`select id from accounts`),
  /** The result has no such column. */
  missing: (db: Reader) => db.row<{ id: string; domain: string | null }>(sql`select id from accounts`),
  /** The row type has no such property. */
  surplus: (db: Reader) => db.row<{ id: string }>(sql`select id, domain from accounts`),
  /** The column may be null. */
  nullable: (db: Reader) => db.row<{ domain: string }>(sql`select domain from accounts where id = 1`),
  /** The joined row may be missing. */
  outer: (db: Reader) =>
    db.rows<{ id: string; username: string }>(
      sql`select l.id, a.username from lists l left join accounts a on a.id = l.account_id`,
    ),
  /** Elements of bigint[] are received as text. */
  elements: (db: Reader): Promise<{ ids: number[] } | null> => db.row(sql`select array_agg(id) as ids from accounts`),
  /** The table has no such column, in one branch. */
  column: (db: Reader, one: boolean) => byCondition(db, one ? sql`nothing = 1` : sql`true`),
  /** A number is sent for text. */
  parameter: (db: Reader, domain: number) => db.run(sql`update accounts set domain = ${domain}`),
  /** An array is sent for a document: the driver makes an array of PostgreSQL of it. */
  document: (db: Reader, fields: string[]) => db.run(sql`update accounts set fields = ${fields}`),
  /** A document has no dates. */
  date: (db: Reader) => db.row<{ fields: Date }>(sql`select fields from accounts`),
  dates: (db: Reader) => db.row<{ fields: { at: Date }[] }>(sql`select fields from accounts`),
  /** The result has two columns of the same name, so one is lost. */
  twice: (db: Reader) => db.row<{ id: string }>(sql`select id, id from accounts`),
  /** A cast declares the type, too. */
  cast: async (db: Reader) => (await db.row(sql`select id from accounts`)) as { id: number },
  /** The constraint of the column permits more values. */
  values: (db: Reader) => db.rows<{ state: 'accepted' | 'rejected' }>(sql`select state from collection_items`),
  /** Two transactions with the same rows may lock them in different orders. */
  order: (db: Reader, ids: string[]) =>
    db.run(sql`insert into account_search (account_id, words) select id, ''::tsvector from unnest(${ids}::bigint[]) as given(id)
      on conflict (account_id) do update set words = excluded.words`),
  update: (db: Reader, ids: string[]) =>
    db.run(sql`update account_stats s set statuses_count = 0 from unnest(${ids}::bigint[]) as given(id)
      where s.account_id = given.id`),
}
