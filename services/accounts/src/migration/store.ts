/** Reads and writes moves, and relationships to an account that moved. */
import { name, type Reader, sql, type Tx } from '@murmuration/db'
import type { Choices } from '../core/follow/store.js'

export interface MoveRow {
  id: string
  account_id: string
  target_id: string
  followers: number
  done_at: Date | null
  created_at: Date
}

const columns = sql`m.id, m.account_id, m.target_id, m.followers, m.done_at, m.created_at`

export const moveById = (db: Reader, id: string): Promise<MoveRow | null> =>
  db.row(sql`select ${columns} from moves m where m.id = ${id}`)

/** Moves of an account, newest first, at most 20. */
export const movesOf = (db: Reader, account: string): Promise<MoveRow[]> =>
  db.rows(sql`select ${columns} from moves m where m.account_id = ${account} order by m.id desc limit 20`)

export const lastMoveAt = async (db: Reader, account: string): Promise<Date | null> =>
  (await movesOf(db, account))[0]?.created_at ?? null

/** Time of the last move of another account to this account, or null. */
export const lastArrivalAt = async (db: Reader, account: string): Promise<Date | null> =>
  (await db.row<{ at: Date | null }>(sql`select max(created_at) as at from moves where target_id = ${account}`))?.at ??
  null

export const insertMove = async (
  tx: Tx,
  row: { id: string; account: string; target: string; at: Date },
): Promise<void> => {
  await tx.run(sql`insert into moves (id, account_id, target_id, followers, created_at)
    select ${row.id}, ${row.account}, ${row.target}, coalesce(max(s.followers_count), 0), ${row.at}
    from account_stats s where s.account_id = ${row.account}`)
}

export const finishMove = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await tx.run(sql`update moves set done_at = ${at} where id = ${id} and done_at is null`)
}

/** Stores the target to which an account moved, or removes it if `target` is null. Returns false if nothing changed. */
export const setMoveTarget = async (
  tx: Tx,
  account: string,
  target: { id: string; uri: string } | null,
): Promise<boolean> =>
  (await tx.run(sql`update accounts set moved_to_id = ${target?.id ?? null}::bigint,
      moved_to_uri = ${target?.uri ?? null}::text
    where id = ${account} and moved_to_uri is distinct from ${target?.uri ?? null}::text`)) > 0

/** Adds or removes an alias; false if nothing changed. */
export const setAlias = async (tx: Tx, account: string, uri: string, known: boolean): Promise<boolean> =>
  (await tx.run(
    known
      ? sql`update accounts set also_known_as = array_append(also_known_as, ${uri}::text)
          where id = ${account} and not ${uri}::text = any(also_known_as)`
      : sql`update accounts set also_known_as = array_remove(also_known_as, ${uri}::text)
          where id = ${account} and ${uri}::text = any(also_known_as)`,
  )) > 0

export interface MoverRow extends Choices {
  id: string
  uri: string
  silenced: boolean
  hidden: boolean
  there: boolean
}

/** A page of local followers of the old account, in the order of their ids, with their relationship to the target. */
export const moversOf = (
  db: Reader,
  from: string,
  to: { id: string; domain: string | null },
  page: { after: string; limit: number },
): Promise<MoverRow[]> =>
  db.rows(sql`select a.id, a.uri, a.silenced_at is not null as silenced, f.reblogs, f.notify, f.languages,
      exists (select 1 from blocks b where b.account_id = a.id and b.target_id = ${to.id})
        or exists (select 1 from blocks b where b.account_id = ${to.id} and b.target_id = a.id)
        or exists (select 1 from domain_blocks d where d.account_id = a.id and d.domain = ${to.domain}::text) as hidden,
      exists (select 1 from follows g where g.account_id = a.id and g.target_id = ${to.id})
        or exists (select 1 from follow_requests q where q.account_id = a.id and q.target_id = ${to.id}) as there
    from follows f join accounts a on a.id = f.account_id
    where f.target_id = ${from} and f.account_local and f.account_id > ${page.after}
    order by f.account_id limit ${page.limit}`)

/** Adds the target of a move to each list of the given owners that contains the old account. */
export const copyListMemberships = async (
  tx: Tx,
  owners: readonly string[],
  from: string,
  to: string,
): Promise<void> => {
  await tx.run(sql`insert into list_members (list_id, member_id, owner_id)
    select m.list_id, ${to}::bigint, m.owner_id from list_members m
    where m.member_id = ${from} and m.owner_id = any(${owners}::bigint[])
    order by m.list_id on conflict do nothing`)
}

interface Page {
  after: string
  limit: number
}

/**
 * Copies a page of private notes on the old account to the target of a move. An existing note on the target is kept.
 * Returns the last owner of a full page, else null.
 */
export const copyNotes = async (tx: Tx, from: string, to: string, page: Page): Promise<string | null> => {
  const rows = await tx.rows<{ account_id: string }>(sql`with page as (
      select account_id, comment from notes where target_id = ${from} and account_id > ${page.after}
      order by account_id limit ${page.limit}),
    copied as (insert into notes (account_id, target_id, comment)
      select account_id, ${to}::bigint, comment from page where account_id <> ${to} on conflict do nothing)
    select account_id from page order by account_id`)
  return rows.length === page.limit ? (rows.at(-1)?.account_id ?? null) : null
}

/** A page of local accounts that block or mute the old account. `free`: the local account has no relationship to the target of the move. */
export const refusersOf = (
  db: Reader,
  which: 'blocks' | 'mutes',
  from: string,
  to: string,
  page: Page,
): Promise<{ id: string; free: boolean; notifications: boolean; expires_at: Date | null }[]> => {
  const more = which === 'mutes' ? sql`r.notifications, r.expires_at` : sql`false as notifications, null as expires_at`
  return db.rows(sql`select r.account_id as id, ${more},
      r.account_id <> ${to}
        and not exists (select 1 from follows f where f.account_id = r.account_id and f.target_id = ${to})
        and not exists (select 1 from follow_requests q where q.account_id = r.account_id and q.target_id = ${to})
        and not exists (select 1 from blocks b where b.account_id = r.account_id and b.target_id = ${to})
        and not exists (select 1 from mutes m where m.account_id = r.account_id and m.target_id = ${to}) as free
    from ${name(which)} r join accounts a on a.id = r.account_id and a.domain is null
    where r.target_id = ${from} and r.account_id > ${page.after}
    order by r.account_id limit ${page.limit}`)
}

/** Stores that the accounts of the given rows mute the account `to`. Returns the new mutes. */
export const insertMutes = (
  tx: Tx,
  to: string,
  rows: readonly { id: string; from: string; notifications: boolean; expiresAt: Date | null }[],
  at: Date,
): Promise<{ id: string; from: string; notifications: boolean }[]> =>
  tx.rows(sql`insert into mutes (id, account_id, target_id, notifications, expires_at, created_at)
    select id, account, ${to}::bigint, notifications, expires_at, ${at}::timestamptz
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.from)}::bigint[],
      ${rows.map((row) => row.notifications)}::boolean[], ${rows.map((row) => row.expiresAt)}::timestamptz[])
      as given(id, account, notifications, expires_at)
    order by account, id on conflict (account_id, target_id) do nothing returning id, account_id as "from", notifications`)
