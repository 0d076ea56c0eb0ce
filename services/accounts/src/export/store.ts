/** Reads export data, in pages ordered by row id. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** A CSV row of an export, with the cursor after which the next page begins. */
export interface ExportRow {
  cursor: string
  cells: string[]
}

export interface ExportPage {
  account: string
  after: string
  limit: number
}

/** SQL of the handle `name@domain` of an account. Local accounts get the domain of this server. */
const address = (alias: Sql, here: string): Sql =>
  sql`${alias}.username || '@' || coalesce(${alias}.domain, ${here}::text)`

export const exportedFollows = (db: Reader, here: string, page: ExportPage): Promise<ExportRow[]> =>
  db.rows(sql`select f.id as cursor, array[${address(sql`a`, here)}, f.reblogs::text, f.notify::text,
      array_to_string(coalesce(f.languages, '{}'), ', ')] as cells
    from follows f join accounts a on a.id = f.target_id
    where f.account_id = ${page.account} and f.id > ${page.after} order by f.id limit ${page.limit}`)

export const exportedBlocks = (db: Reader, here: string, page: ExportPage): Promise<ExportRow[]> =>
  db.rows(sql`select b.id as cursor, array[${address(sql`a`, here)}] as cells
    from blocks b join accounts a on a.id = b.target_id
    where b.account_id = ${page.account} and b.id > ${page.after} order by b.id limit ${page.limit}`)

export const exportedMutes = (db: Reader, here: string, page: ExportPage, at: Date): Promise<ExportRow[]> =>
  db.rows(sql`select m.id as cursor, array[${address(sql`a`, here)}, m.notifications::text] as cells
    from mutes m join accounts a on a.id = m.target_id
    where m.account_id = ${page.account} and m.id > ${page.after} and (m.expires_at is null or m.expires_at > ${at})
    order by m.id limit ${page.limit}`)

export const exportedDomains = (db: Reader, page: ExportPage): Promise<ExportRow[]> =>
  db.rows(sql`select d.id as cursor, array[d.domain] as cells from domain_blocks d
    where d.account_id = ${page.account} and d.id > ${page.after} order by d.id limit ${page.limit}`)

/** Reads a page of list members for the export. Its cursor is the list id and the member id, joined by `-`. */
export const exportedLists = (db: Reader, here: string, page: ExportPage): Promise<ExportRow[]> => {
  const [list = '0', member = '0'] = page.after.split('-')
  return db.rows(sql`select l.id || '-' || m.member_id as cursor, array[l.title, ${address(sql`a`, here)}] as cells
    from lists l join list_members m on m.list_id = l.id join accounts a on a.id = m.member_id
    where l.account_id = ${page.account} and (l.id, m.member_id) > (${list}::bigint, ${member}::bigint)
    order by l.id, m.member_id limit ${page.limit}`)
}

export type ExportCounts = Record<'follows' | 'blocks' | 'mutes' | 'domain_blocks' | 'lists' | 'followers', number>

export const countExported = async (db: Reader, account: string): Promise<ExportCounts> =>
  (await db.row<ExportCounts>(sql`select
    (select count(*)::int from follows where account_id = ${account}) as follows,
    (select count(*)::int from follows where target_id = ${account}) as followers,
    (select count(*)::int from blocks where account_id = ${account}) as blocks,
    (select count(*)::int from mutes where account_id = ${account}) as mutes,
    (select count(*)::int from domain_blocks where account_id = ${account}) as domain_blocks,
    (select count(*)::int from list_members m join lists l on l.id = m.list_id where l.account_id = ${account}) as lists`)) ?? {
    follows: 0,
    followers: 0,
    blocks: 0,
    mutes: 0,
    domain_blocks: 0,
    lists: 0,
  }
