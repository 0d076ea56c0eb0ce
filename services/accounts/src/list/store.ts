/**
 * Reads and writes lists and their members. Queries are restricted to the owner of the lists, except `ownersOfLists`.
 */
import { bigints, type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { AccountOfPage } from '../core/follow/page.store.js'

export interface ListRow {
  id: string
  title: string
  replies_policy: 'list' | 'followed' | 'none'
  exclusive: boolean
}

const columns = sql`l.id, l.title, l.replies_policy, l.exclusive`

export const listsOfOwner = (db: Reader, owner: string): Promise<ListRow[]> =>
  db.rows(sql`select ${columns} from lists l where l.account_id = ${owner} order by l.id`)

export const listOfOwner = (db: Reader, owner: string, id: string): Promise<ListRow | null> =>
  db.row(sql`select ${columns} from lists l where l.id = ${id} and l.account_id = ${owner}`)

/** Owners of lists by list id. Unknown lists are absent. */
export const ownersOfLists = async (db: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await db.rows<{ id: string; account_id: string }>(
    sql`select id, account_id from lists where id = any(${bigints(ids)})`,
  )
  return new Map(rows.map((row) => [row.id, row.account_id]))
}

/** The owner's oldest list with this title. */
export const listByTitle = (db: Reader, owner: string, title: string): Promise<ListRow | null> =>
  db.row(sql`select ${columns} from lists l where l.account_id = ${owner} and l.title = ${title} order by l.id limit 1`)

/** The owner's lists that contain this account. */
export const listsContaining = (db: Reader, owner: string, member: string): Promise<ListRow[]> =>
  db.rows(sql`select ${columns} from list_members m join lists l on l.id = m.list_id
    where m.member_id = ${member} and m.owner_id = ${owner} order by l.id`)

export const countLists = async (db: Reader, owner: string): Promise<number> =>
  (await db.row<{ n: number }>(sql`select count(*)::int as n from lists where account_id = ${owner}`))?.n ?? 0

export const insertList = async (tx: Tx, owner: string, list: ListRow, at: Date): Promise<void> => {
  await tx.run(sql`insert into lists (id, account_id, title, replies_policy, exclusive, created_at)
    values (${list.id}, ${owner}, ${list.title}, ${list.replies_policy}, ${list.exclusive}, ${at})`)
}

/** Stores changed fields of a list and returns the list. Returns null if the owner has no such list. */
export const updateList = (tx: Tx, owner: string, list: Partial<ListRow> & { id: string }): Promise<ListRow | null> =>
  tx.row(sql`update lists l set title = coalesce(${list.title ?? null}, title),
      replies_policy = coalesce(${list.replies_policy ?? null}, replies_policy),
      exclusive = coalesce(${list.exclusive ?? null}, exclusive)
    where l.id = ${list.id} and l.account_id = ${owner} returning ${columns}`)

export const deleteList = (tx: Tx, owner: string, id: string): Promise<number> =>
  tx.run(sql`delete from lists where id = ${id} and account_id = ${owner}`)

/** Members of a list in descending order of account ids, which are the cursors. Suspended accounts are left out. */
export const membersOf = (db: Reader, list: string, page: Cursor): Promise<AccountOfPage[]> =>
  db.rows(sql`select m.member_id as cursor, m.member_id as account_id from list_members m
    join accounts a on a.id = m.member_id and a.suspended_at is null
    where m.list_id = ${list} ${keyset(sql`m.member_id`, page)}`)

/** Accounts among `ids` that may be on the owner's lists: followed or requested ones, and the owner. */
export const mayBeMembers = async (db: Reader, owner: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select wanted.id from unnest(${ids}::bigint[]) as wanted(id)
    where wanted.id = ${owner}
      or exists (select 1 from follows f where f.account_id = ${owner} and f.target_id = wanted.id)
      or exists (select 1 from follow_requests q where q.account_id = ${owner} and q.target_id = wanted.id)`)
  return rows.map((row) => row.id)
}

/** Adds members to a list and returns the members that are new. */
export const insertMembers = async (tx: Tx, list: string, owner: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.rows<{ member_id: string }>(sql`insert into list_members (list_id, member_id, owner_id)
    select ${list}, id, ${owner} from unnest(${ids}::bigint[]) as wanted(id)
    order by id on conflict do nothing returning member_id`)
  return rows.map((row) => row.member_id)
}

export const deleteMembers = (tx: Tx, list: string, owner: string, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from list_members
    where list_id = ${list} and owner_id = ${owner} and member_id = any(${ids}::bigint[])`)
