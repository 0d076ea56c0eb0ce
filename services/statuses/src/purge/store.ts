/** SQL that permanently deletes rows: long deleted statuses, and data of removed accounts. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { eraseReportsOf } from '../annual-report/index.js'
import { deleteCleanup } from '../cleanup/index.js'
import { eraseConversationsOf } from '../conversation/index.js'
import { deleteReactionsTo } from '../core/emoji-reaction/store.js'
import { deleteAuthorizationsFor } from '../core/quote/authorization.store.js'
import { deleteApprovals } from '../core/reply/approval.store.js'
import { deleteHeld } from '../core/reply/held.store.js'
import { deleteReplyPolicies } from '../core/reply/policy.store.js'
import { freeAddresses } from '../core/status/tombstone.store.js'
import { eraseFiltersOf } from '../filter/index.js'
import { endUnreachedOf } from '../mention/index.js'
import { endAbsences } from '../remote/index.js'

/** Statuses that were marked as deleted before `before`, oldest first. */
export const deletedBefore = (
  db: Reader,
  before: Date,
  limit: number,
): Promise<{ id: string; media_ids: string[]; edited_at: Date | null }[]> =>
  db.rows(sql`select id, media_ids, edited_at from statuses where deleted_at < ${before}
    order by deleted_at limit ${limit}`)

/**
 * Deletes favourites, bookmarks, emoji reactions and votes of statuses, at most `limit` rows of each table. Returns the
 * largest number of a table.
 */
export const eraseSomeReactions = async (db: Reader, ids: readonly string[], limit: number): Promise<number> => {
  const of = sql`status_id = any(${ids}::bigint[])`
  const counts = [
    await db.run(
      sql`delete from favourites where ctid = any(array(select ctid from favourites where ${of} limit ${limit}))`,
    ),
    await db.run(
      sql`delete from bookmarks where ctid = any(array(select ctid from bookmarks where ${of} limit ${limit}))`,
    ),
    await db.run(
      sql`delete from reactions where ctid = any(array(select ctid from reactions where ${of} limit ${limit}))`,
    ),
    await db.run(sql`delete from poll_votes where ctid = any(array(select v.ctid from poll_votes v
      where v.poll_id in (select id from polls where ${of}) limit ${limit}))`),
  ]
  return Math.max(...counts)
}

/** Deletes the rows of statuses and everything that refers to them. */
export const eraseStatuses = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from mentions where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from status_tags where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from replies where parent_id = any(${ids}::bigint[]) or child_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from awaited_parents where child_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from favourites where status_id = any(${ids}::bigint[])`)
  await deleteReactionsTo(tx, ids)
  await tx.run(sql`delete from bookmarks where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from pins where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from status_stats where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from status_edits where status_id = any(${ids}::bigint[])`)
  await tx.run(
    sql`delete from poll_votes where poll_id in (select id from polls where status_id = any(${ids}::bigint[]))`,
  )
  await tx.run(sql`delete from polls where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from quotes where status_id = any(${ids}::bigint[])`)
  await endAbsences(tx, ids)
  await deleteApprovals(tx, ids)
  await deleteHeld(tx, ids)
  await deleteReplyPolicies(tx, ids)
  await endUnreachedOf(tx, ids)
  await deleteAuthorizationsFor(tx, ids)
  await tx.run(sql`delete from status_previews where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from preview_waits where status_id = any(${ids}::bigint[])`)
  await freeAddresses(tx, ids)
  await tx.run(sql`delete from statuses where id = any(${ids}::bigint[])`)
}

/** The newest `limit` ids of an author's statuses that are not deleted. */
export const someOf = async (db: Reader, author: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from statuses where author_id = ${author} and deleted_at is null
      order by id desc limit ${limit}`)
  ).map((row) => row.id)

/** Deletes at most `limit` favourites of an account. Returns the statuses whose counters must be reduced. */
export const eraseFavouritesOf = async (tx: Tx, account: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(sql`delete from favourites where account_id = ${account} and status_id in (
      select status_id from favourites where account_id = ${account} limit ${limit}) returning status_id`)
  ).map((row) => row.status_id)

/**
 * Deletes bookmarks, pins, scheduled statuses, filters and other private data of an account. Votes stay, because votes
 * are part of poll results.
 */
export const eraseMarksOf = async (tx: Tx, account: string): Promise<void> => {
  await deleteCleanup(tx, account)
  await tx.run(sql`delete from bookmarks where account_id = ${account}`)
  await tx.run(sql`delete from pins where account_id = ${account}`)
  await tx.run(sql`delete from pin_versions where account_id = ${account}`)
  await tx.run(sql`delete from scheduled_statuses where account_id = ${account}`)
  await tx.run(sql`delete from tag_follows where account_id = ${account}`)
  await tx.run(sql`delete from featured_tags where account_id = ${account}`)
  await tx.run(sql`delete from conversation_mutes where account_id = ${account}`)
  await eraseConversationsOf(tx, account)
  await eraseReportsOf(tx, account)
  await eraseFiltersOf(tx, account)
}
