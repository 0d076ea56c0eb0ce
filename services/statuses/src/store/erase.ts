/** Rows that go for good: long deleted statuses, and what accounts did that are gone. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { deleteReactionsTo } from '../emoji-reaction/index.js'
import { endAbsences } from './absence.js'
import { eraseReportsOf } from './annual-report.js'
import { deleteCleanup } from './cleanup.js'
import { eraseConversationsOf } from './conversation.js'
import { eraseFiltersOf } from './filter.js'
import { deleteHeld } from './held-reply.js'
import { deleteStampsFor } from './quote-stamp.js'
import { deleteApprovals } from './reply-approval.js'
import { deleteReplyPolicies } from './reply-policy.js'
import { endUnreachedOf } from './unreached-mention.js'

/** Statuses that were deleted before a moment, the oldest first. */
export const deletedBefore = (db: Reader, before: Date, limit: number): Promise<{ id: string; has_media: boolean }[]> =>
  db.rows(sql`select id, media_ids <> '{}' as has_media from statuses where deleted_at < ${before}
    order by deleted_at limit ${limit}`)

/** Lets the addresses of deleted statuses be somebody's again, who took nothing back: what is read there later is new. */
export const freeAddresses = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from post_uris where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from post_urls where status_id = any(${ids}::bigint[])`)
}

/** Erases statuses with everything that hangs on them. */
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
  await deleteStampsFor(tx, ids)
  await tx.run(sql`delete from status_previews where status_id = any(${ids}::bigint[])`)
  await tx.run(sql`delete from preview_waits where status_id = any(${ids}::bigint[])`)
  await freeAddresses(tx, ids)
  await tx.run(sql`delete from statuses where id = any(${ids}::bigint[])`)
}

/** Ids of living statuses of an author, some of them. */
export const someOf = async (db: Reader, author: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from statuses where author_id = ${author} and deleted_at is null
      order by id desc limit ${limit}`)
  ).map((row) => row.id)

/** Erases some favourites of an account; gives the statuses they counted for. */
export const eraseFavouritesOf = async (tx: Tx, account: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(sql`delete from favourites where account_id = ${account} and status_id in (
      select status_id from favourites where account_id = ${account} limit ${limit}) returning status_id`)
  ).map((row) => row.status_id)

/** Erases the private marks of an account, and what it would have written yet. Its votes stay, as the results of others. */
export const eraseMarksOf = async (tx: Tx, account: string): Promise<void> => {
  await deleteCleanup(tx, account)
  await tx.run(sql`delete from bookmarks where account_id = ${account}`)
  await tx.run(sql`delete from pins where account_id = ${account}`)
  await tx.run(sql`delete from scheduled_statuses where account_id = ${account}`)
  await tx.run(sql`delete from tag_follows where account_id = ${account}`)
  await tx.run(sql`delete from featured_tags where account_id = ${account}`)
  await tx.run(sql`delete from conversation_mutes where account_id = ${account}`)
  await eraseConversationsOf(tx, account)
  await eraseReportsOf(tx, account)
  await eraseFiltersOf(tx, account)
}
