/** Queries with wrong types, described in their comments. The check must find each; see `bin/test/queries.test.ts`. */
import { keyset, name, type Reader, type Sql, sql } from '@murmuration/db'

type Kind = 'blocks' | 'mutes'

const columns = sql`id, username`

export const right = {
  /** A correct query: the check evaluates fragments, conditions, names and helpers. */
  page: (db: Reader, domain: string | null, page: { limit: number }) =>
    db.rows<{ id: string; username: string }>(
      sql`select ${columns} from accounts where ${domain === null ? sql`domain is null` : sql`domain = ${domain}`} ${keyset(sql`id`, page)}`,
    ),
  /** A correct query: only one of the tables has the column, and both optional parts depend on the same choice. */
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
  /** Wrong type: the driver returns bigint as text, not as a number. */
  number: (db: Reader) => db.rows<{ id: number }>(sql`select id from accounts`),
  /** Wrong type: the result of the query has no such column. */
  missing: (db: Reader) => db.row<{ id: string; domain: string | null }>(sql`select id from accounts`),
  /** Wrong type: the declared row type has no property for a column of the result. */
  surplus: (db: Reader) => db.row<{ id: string }>(sql`select id, domain from accounts`),
  /** Wrong type: the column may be null, but the row type excludes null. */
  nullable: (db: Reader) => db.row<{ domain: string }>(sql`select domain from accounts where id = 1`),
  /** Wrong type: the joined row may be missing, so its column may be null. */
  outer: (db: Reader) =>
    db.rows<{ id: string; username: string }>(
      sql`select l.id, a.username from lists l left join accounts a on a.id = l.account_id`,
    ),
  /** Wrong type: the driver returns the elements of bigint[] as text, not as numbers. */
  elements: (db: Reader): Promise<{ ids: number[] } | null> => db.row(sql`select array_agg(id) as ids from accounts`),
  /** Wrong query: in one branch of a condition, the table has no such column. */
  column: (db: Reader, one: boolean) => byCondition(db, one ? sql`nothing = 1` : sql`true`),
  /** Wrong parameter: a number is sent for a column of type text. */
  parameter: (db: Reader, domain: number) => db.run(sql`update accounts set domain = ${domain}`),
  /** Wrong parameter: an array is sent for a JSON document. The driver converts it to a PostgreSQL array. */
  document: (db: Reader, fields: string[]) => db.run(sql`update accounts set fields = ${fields}`),
  /** Wrong type: a JSON document cannot contain a Date. */
  date: (db: Reader) => db.row<{ fields: Date }>(sql`select fields from accounts`),
  dates: (db: Reader) => db.row<{ fields: { at: Date }[] }>(sql`select fields from accounts`),
  /** Wrong query: the result has two columns of the same name, so one of them is lost. */
  twice: (db: Reader) => db.row<{ id: string }>(sql`select id, id from accounts`),
  /** Wrong type in a cast: a cast of the result declares the row type, too. */
  cast: async (db: Reader) => (await db.row(sql`select id from accounts`)) as { id: number },
  /** Wrong type: the check constraint of the column permits more values than the row type. */
  values: (db: Reader) => db.rows<{ state: 'accepted' | 'rejected' }>(sql`select state from collection_items`),
  /** Wrong query: two transactions that insert the same rows may lock them in different orders. */
  order: (db: Reader, ids: string[]) =>
    db.run(sql`insert into account_search (account_id, words) select id, ''::tsvector from unnest(${ids}::bigint[]) as given(id)
      on conflict (account_id) do update set words = excluded.words`),
  update: (db: Reader, ids: string[]) =>
    db.run(sql`update account_stats s set statuses_count = 0 from unnest(${ids}::bigint[]) as given(id)
      where s.account_id = given.id`),
}
