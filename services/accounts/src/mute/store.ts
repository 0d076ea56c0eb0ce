/** Reads and writes mutes, some of which expire. */
import { bigints, type Cursor, type Database, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { AccountOfPage } from '../core/follow/page.store.js'
import type { Pair, RelationEnd } from '../core/follow/store.js'

/** Stores a mute, or changes an existing one. Returns the id of the stored row. */
export const putMute = async (
  tx: Tx,
  row: Pair & { id: string; notifications: boolean; expiresAt: Date | null; at: Date },
): Promise<{ id: string }> => {
  const stored = await tx.row<{ id: string }>(sql`insert into mutes
      (id, account_id, target_id, notifications, expires_at, created_at)
    values (${row.id}, ${row.from}, ${row.to}, ${row.notifications}, ${row.expiresAt}, ${row.at})
    on conflict (account_id, target_id) do update set
      notifications = excluded.notifications, expires_at = excluded.expires_at
    returning id`)
  return stored ?? { id: row.id }
}

const end = sql`gone.id, gone.account_id as "from", gone.target_id as "to", true as "fromLocal",
  t.domain is null as "toLocal", null as uri`

/** Deletes a mute and returns the deleted row; null if there was none. */
export const deleteMute = (tx: Tx, pair: Pair): Promise<RelationEnd | null> =>
  tx.row(sql`with gone as (delete from mutes where account_id = ${pair.from} and target_id = ${pair.to} returning *)
    select ${end} from gone join accounts t on t.id = gone.target_id`)

/** Whether any mute has expired that is not deleted yet. */
export const isMuteExpired = (db: Database, at: Date): Promise<boolean> =>
  db.exists(sql`select 1 from mutes where expires_at <= ${at}`)

/** Deletes expired mutes, at most 500 per call, and returns the deleted rows. */
export const deleteExpiredMutes = (tx: Tx, at: Date): Promise<RelationEnd[]> =>
  tx.rows(sql`with gone as (delete from mutes where id in
      (select id from mutes where expires_at <= ${at} order by expires_at limit 500 for update skip locked) returning *)
    select ${end} from gone join accounts t on t.id = gone.target_id`)

/** All lists of these accounts. */
export const listsOfOwners = (db: Reader, owners: readonly string[]): Promise<{ id: string; owner: string }[]> =>
  db.rows(sql`select id, account_id as owner from lists where account_id = any(${bigints(owners)})`)

/** Muted accounts. Expired mutes are left out, even if the tick has not deleted them yet. */
export const mutedBy = (
  db: Reader,
  id: string,
  page: Cursor,
  at: Date,
): Promise<(AccountOfPage & { expires_at: Date | null })[]> =>
  db.rows(sql`select m.id as cursor, m.target_id as account_id, m.expires_at from mutes m
    join accounts a on a.id = m.target_id
    where m.account_id = ${id} and a.suspended_at is null and (m.expires_at is null or m.expires_at > ${at})
      ${keyset(sql`m.id`, page)}`)
