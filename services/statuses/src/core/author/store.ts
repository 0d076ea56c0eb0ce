/** Stores and reads flags of authors, which are copied from the accounts service because queries filter by them. */
import type { AccountRecord, AuthorFlags } from '@murmuration/contracts/accounts'
import { type Reader, sql } from '@murmuration/db'

/** Stores flags of unknown authors. Stored flags are kept, because an event may have brought newer ones. */
export const insertMissingAuthors = async (
  db: Reader,
  records: readonly AccountRecord[],
  showsApplication?: boolean,
): Promise<void> => {
  if (records.length === 0) return
  const of = <K extends keyof AccountRecord>(key: K) => records.map((record) => record[key])
  await db.run(sql`insert into author_flags (account_id, local, domain, silenced, suspended, sensitized, discoverable,
      indexable, shows_application)
    select *, ${showsApplication ?? true}::boolean from unnest(${of('id')}::bigint[],
      ${records.map((record) => record.domain === null)}::boolean[], ${of('domain')}::text[], ${of('silenced')}::boolean[],
      ${of('suspended')}::boolean[], ${of('sensitized')}::boolean[], ${of('discoverable')}::boolean[],
      ${of('indexable')}::boolean[])
    order by 1 on conflict (account_id) do nothing`)
}

/** Stores the flags of an author from an event, unless those of a newer event are stored. */
export const changeAuthor = (db: Reader, id: string, flags: AuthorFlags, eventId: string): Promise<number> =>
  db.run(sql`insert into author_flags (account_id, local, domain, silenced, suspended, sensitized, discoverable, indexable, rev)
    values (${id}, ${flags.local}, ${flags.domain}, ${flags.silenced}, ${flags.suspended}, ${flags.sensitized},
      ${flags.discoverable}, ${flags.indexable}, ${eventId})
    on conflict (account_id) do update set silenced = excluded.silenced, suspended = excluded.suspended,
      sensitized = excluded.sensitized, discoverable = excluded.discoverable, indexable = excluded.indexable,
      domain = excluded.domain, rev = excluded.rev
    where author_flags.rev < excluded.rev`)

/** Stores whether statuses of an author show the app that they were written with. */
export const showApplication = (db: Reader, id: string, shows: boolean): Promise<number> =>
  db.run(
    sql`update author_flags set shows_application = ${shows} where account_id = ${id} and shows_application <> ${shows}`,
  )

/** Marks an author as deleted, permanently. Unknown authors are recorded as deleted. */
export const deleteAuthor = (db: Reader, id: string, local: boolean): Promise<number> =>
  db.run(sql`insert into author_flags (account_id, local, silenced, suspended, sensitized, discoverable, indexable, rev)
    values (${id}, ${local}, false, true, false, false, false, 9223372036854775807)
    on conflict (account_id) do update set suspended = true, rev = excluded.rev`)

/** Ids of the authors among `authors` whose accounts are deleted. */
export const deletedAmong = async (db: Reader, authors: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select account_id as id from author_flags
    where account_id = any(${authors}::bigint[]) and suspended and rev = 9223372036854775807`)
  return rows.map((row) => row.id)
}

/** Whether an author is suspended. */
export const isSuspended = async (db: Reader, id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from author_flags where account_id = ${id} and suspended`)) !== null

/** Flags of an author, with the revision of their filters (null without filters); null if the author is unknown. */
export const authorFlag = (
  db: Reader,
  id: string,
): Promise<{ shows_application: boolean; suspended: boolean; filter_rev: string | null } | null> =>
  db.row(sql`select shows_application, suspended, (select rev from filter_sets where account_id = ${id}) as filter_rev
    from author_flags where account_id = ${id}`)
