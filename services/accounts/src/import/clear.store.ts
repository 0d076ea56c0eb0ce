/** Reads and deletes rows that an overwriting import removes, because the file does not contain them. */
import { name, type Reader, sql, type Tx } from '@murmuration/db'
import type { FollowTable, Pair, RelationEnd } from '../core/follow/store.js'

interface Of {
  account: string
  import: string
  /** Domain of this server. Files name local accounts with this domain. */
  here: string
  limit: number
}

/** SQL condition: the handle of account `a` is not in the file. */
const unnamed = (of: Of) => sql`not exists (select 1 from import_rows r
  where r.import_id = ${of.import} and r.key = lower(a.username) || '@' || coalesce(a.domain, ${of.here}::text))`

export const unnamedFollows = (db: Reader, which: FollowTable, of: Of): Promise<Pair[]> =>
  db.rows(sql`select f.account_id as "from", f.target_id as "to" from ${name(which)} f
    join accounts a on a.id = f.target_id where f.account_id = ${of.account} and ${unnamed(of)} limit ${of.limit}`)

/** Deletes blocks or mutes, and returns the deleted rows. */
export const deleteUnnamed = (tx: Tx, which: 'blocks' | 'mutes', of: Of): Promise<RelationEnd[]> =>
  tx.rows(sql`with gone as (delete from ${name(which)} where id in (select b.id from ${name(which)} b
      join accounts a on a.id = b.target_id where b.account_id = ${of.account} and ${unnamed(of)} limit ${of.limit})
      returning *)
    select gone.id, gone.account_id as "from", gone.target_id as "to", true as "fromLocal",
      t.domain is null as "toLocal", ${which === 'blocks' ? sql`gone.uri` : sql`null as uri`}
    from gone join accounts t on t.id = gone.target_id`)

export const deleteUnnamedDomains = async (tx: Tx, of: Of): Promise<string[]> => {
  const rows = await tx.rows<{ domain: string }>(sql`delete from domain_blocks where id in (
      select d.id from domain_blocks d where d.account_id = ${of.account}
        and not exists (select 1 from import_rows r where r.import_id = ${of.import} and r.key = d.domain)
      limit ${of.limit})
    returning domain`)
  return rows.map((row) => row.domain)
}

/** Deletes members of the lists that the file names; other lists stay. Returns the ids of the changed lists. */
export const deleteUnnamedMembers = async (tx: Tx, of: Of): Promise<string[]> => {
  const rows = await tx.rows<{ list_id: string }>(sql`delete from list_members m using lists l, accounts a
    where l.account_id = ${of.account} and m.list_id = l.id and a.id = m.member_id
      and exists (select 1 from import_rows r where r.import_id = ${of.import} and r.cells[1] = l.title)
      and not exists (select 1 from import_rows r where r.import_id = ${of.import}
        and r.key = l.title || chr(10) || lower(a.username) || '@' || coalesce(a.domain, ${of.here}::text))
    returning m.list_id`)
  return [...new Set(rows.map((row) => row.list_id))]
}
