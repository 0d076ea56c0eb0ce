/** SQL of held replies: local and remote replies that wait, or waited, for approval by the parent's author. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { isAnnounced, needsOwnApproval } from '../older-table-names.store.js'
import { HELD, levelOf } from '../visibility/rules.js'

export interface Holding {
  /** Visibility that the reply gets when it is approved. */
  visibility: number
  /**
   * True if the author of the parent must approve the reply. False if the reply is held only because its parent is
   * held.
   */
  needsApproval: boolean
  /** True if the reply enters feeds and causes notifications when the reply is released. */
  push: boolean
}

/** Stores that a reply is held. The status of the held reply was stored with the visibility `HELD`. */
export const insertHeld = (tx: Tx, status: string, { visibility, needsApproval, push }: Holding): Promise<number> =>
  tx.run(sql`insert into held_replies (status_id, visibility, ${needsOwnApproval}, push)
    values (${status}, ${visibility}, ${needsApproval}, ${push})`)

/** Whether a status is held for approval, as the caller's transaction sees it. */
export const isHeld = async (tx: Tx, status: string): Promise<boolean> =>
  (await tx.row(sql`select 1 from statuses where id = ${status} and visibility = ${HELD}`)) !== null

/** Stores whether a held reply needs its own approval. */
export const setNeedsApproval = (tx: Tx, status: string, needsApproval: boolean): Promise<number> =>
  tx.run(sql`update held_replies set ${needsOwnApproval} = ${needsApproval} where status_id = ${status}`)

/** Maximum number of held replies released together: the approved reply and replies below it. */
export const MAX_WITH = 100

/**
 * Ids of a held reply, and of replies below it that are held only because of this reply: replies by its author and
 * remote replies. Excluded: replies by other local accounts, and replies that need their own approval.
 */
export const heldWith = async (db: Reader, status: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`with recursive held(id, author_id) as (
        select s.id, s.author_id from statuses s where s.id = ${status} and s.visibility = ${HELD}
        union
        select c.id, c.author_id from held join replies r on r.parent_id = held.id
        cross join lateral (select id, author_id from statuses s where s.id = r.child_id
          and (s.author_id = held.author_id or not s.local) and s.visibility = ${HELD} and s.deleted_at is null
          and not exists (select 1 from held_replies where status_id = s.id and ${needsOwnApproval})) c)
      select id from (select id from held limit ${MAX_WITH}) found order by id`)
  ).map((row) => row.id)

/**
 * Remote held replies directly below `parents`, at most `limit`. `needsApproval`: true for replies that need their own
 * approval, false for those that wait only for their parent.
 */
export const heldBelow = async (
  db: Reader,
  parents: readonly string[],
  { needsApproval, limit }: { needsApproval: boolean; limit: number },
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select h.status_id as id from replies r
      join held_replies h on h.status_id = r.child_id and h.${needsOwnApproval} = ${needsApproval}
      join statuses s on s.id = h.status_id and s.visibility = ${HELD} and s.deleted_at is null and not s.local
      where r.parent_id = any(${parents}::bigint[]) limit ${limit}`)
  ).map((row) => row.id)

/**
 * Releases held replies: sets their final visibility. Returns the replies that were never announced, and whether each
 * is pushed to feeds and notifications.
 */
export const releaseHeld = async (tx: Tx, ids: readonly string[]): Promise<Map<string, { push: boolean }>> => {
  await tx.run(sql`update statuses s set rev = rev + 1,
      visibility = (select h.visibility from held_replies h where h.status_id = s.id)
    where s.id = any(${ids}::bigint[])`)
  const rows = await tx.rows<{ id: string; push: boolean }>(sql`with fresh as (
      select status_id from held_replies where status_id = any(${ids}::bigint[]) and not ${isAnnounced} for update)
    update held_replies h set ${isAnnounced} = true from fresh where h.status_id = fresh.status_id returning h.status_id as id, h.push`)
  return new Map(rows.map(({ id, push }) => [id, { push }]))
}

/**
 * Holds released replies again, and returns their ids. Skips replies that were never held, and those that were already held
 * before the call.
 */
export const holdAgain = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`with waited as (
        update held_replies set ${needsOwnApproval} = true where status_id = any(${ids}::bigint[]) returning status_id)
      update statuses s set visibility = ${HELD}, rev = s.rev + 1 from waited
      where s.id = waited.status_id and s.visibility <> ${HELD} returning s.id`)
  ).map((row) => row.id)

/**
 * Holds remote replies that were shown before their parent was known. Direct replies are never held. Returns the
 * replies that were hidden, with their previous visibility.
 * @param above the parent: `approvesReplies` is true if its author must approve replies, `held` if the parent itself
 * waits for approval
 */
export const holdShown = (
  tx: Tx,
  ids: readonly string[],
  above: { author: string; approvesReplies: boolean; held: boolean },
): Promise<
  { id: string; author_id: string; tags: string[]; has_quote: boolean; visibility: number; needsApproval: boolean }[]
> =>
  tx.rows(sql`with shown as (
      select id, author_id, visibility, tags, (${above.approvesReplies} and author_id <> ${above.author}::bigint) as needs_approval
      from statuses where id = any(${ids}::bigint[]) and not local and visibility < ${levelOf('direct')} and deleted_at is null
        and (${above.held} or author_id <> ${above.author}::bigint) order by id for update
    ), noted as (
      insert into held_replies (status_id, visibility, ${isAnnounced}, ${needsOwnApproval}, push)
      select id, visibility, true, needs_approval, false from shown on conflict (status_id) do nothing)
    update statuses s set visibility = ${HELD}, rev = s.rev + 1 from shown where s.id = shown.id
    returning s.id, s.author_id, s.tags, s.has_quote, shown.visibility, shown.needs_approval as "needsApproval"`)

export const deleteHeld = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from held_replies where status_id = any(${ids}::bigint[])`)
