/** Answers that wait, or waited, for the approval of whom they answer: of people here, and of other servers. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { HELD, levelOf } from '../visibility/rules.js'

export interface Holding {
  /** For whom it is, once it is approved. */
  visibility: number
  /** It lacks an approval of its own, and does not only wait with what it answers. */
  asks: boolean
  /** It goes into feeds and notifications when it is let go. */
  push: boolean
}

/** Notes how an answer waits; its status was stored as held. */
export const insertHeld = (tx: Tx, status: string, { visibility, asks, push }: Holding): Promise<number> =>
  tx.run(sql`insert into held_replies (status_id, visibility, asks, push)
    values (${status}, ${visibility}, ${asks}, ${push})`)

/** Whether a status waits for approval now, as far as that is settled. */
export const isHeld = async (tx: Tx, status: string): Promise<boolean> =>
  (await tx.row(sql`select 1 from statuses where id = ${status} and visibility = ${HELD}`)) !== null

/** Whether an answer lacks an approval of its own. */
export const setAsks = (tx: Tx, status: string, asks: boolean): Promise<number> =>
  tx.run(sql`update held_replies set asks = ${asks} where status_id = ${status}`)

/** Most held replies that are released together: the approved one and those below it. */
export const MOST_WITH = 100

/**
 * Ids of a held reply, and of replies below it that are held only because of it: those of its author and remote ones.
 * A reply by another local account is not among them, because it is held for its own sake.
 */
export const heldWith = async (db: Reader, status: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`with recursive held(id, author_id) as (
        select s.id, s.author_id from statuses s where s.id = ${status} and s.visibility = ${HELD}
        union
        select c.id, c.author_id from held join replies r on r.parent_id = held.id
        cross join lateral (select id, author_id from statuses s where s.id = r.child_id
          and (s.author_id = held.author_id or not s.local) and s.visibility = ${HELD} and s.deleted_at is null
          and not exists (select 1 from held_replies where status_id = s.id and asks)) c)
      select id from (select id from held limit ${MOST_WITH}) found order by id`)
  ).map((row) => row.id)

/** Held answers right below statuses that lack an approval of their own, or wait for nothing but them; at most so many. */
export const heldBelow = async (
  db: Reader,
  parents: readonly string[],
  { asks, most }: { asks: boolean; most: number },
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select h.status_id as id from replies r
      join held_replies h on h.status_id = r.child_id and h.asks = ${asks}
      join statuses s on s.id = h.status_id and s.visibility = ${HELD} and s.deleted_at is null and not s.local
      where r.parent_id = any(${parents}::bigint[]) limit ${most}`)
  ).map((row) => row.id)

/** Gives held answers to those for whom they are. Gives those of which nobody has heard before, and whether they are pushed. */
export const freeHeld = async (tx: Tx, ids: readonly string[]): Promise<Map<string, { push: boolean }>> => {
  await tx.run(sql`update statuses s set rev = rev + 1,
      visibility = (select h.visibility from held_replies h where h.status_id = s.id)
    where s.id = any(${ids}::bigint[])`)
  const rows = await tx.rows<{ id: string; push: boolean }>(sql`with fresh as (
      select status_id from held_replies where status_id = any(${ids}::bigint[]) and not told for update)
    update held_replies h set told = true from fresh where h.status_id = fresh.status_id returning h.status_id as id, h.push`)
  return new Map(rows.map(({ id, push }) => [id, { push }]))
}

/** Holds answers back again that were let go; gives those, without the ones that never waited for approval, or wait already. */
export const holdAgain = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`with waited as (
        update held_replies set asks = true where status_id = any(${ids}::bigint[]) returning status_id)
      update statuses s set visibility = ${HELD}, rev = s.rev + 1 from waited
      where s.id = waited.status_id and s.visibility <> ${HELD} returning s.id`)
  ).map((row) => row.id)

/**
 * Holds answers of other servers that were shown before it was known what they answer, but for direct ones, which wait for
 * nobody. Gives those that are hidden now, with the visibility that they had.
 * @param above what they answer: `asks` when its author approves answers, `held` when it waits itself
 */
export const holdShown = (
  tx: Tx,
  ids: readonly string[],
  above: { author: string; asks: boolean; held: boolean },
): Promise<
  { id: string; author_id: string; tags: string[]; has_quote: boolean; visibility: number; asks: boolean }[]
> =>
  tx.rows(sql`with shown as (
      select id, author_id, visibility, tags, (${above.asks} and author_id <> ${above.author}::bigint) as asks
      from statuses where id = any(${ids}::bigint[]) and not local and visibility < ${levelOf('direct')} and deleted_at is null
        and (${above.held} or author_id <> ${above.author}::bigint) order by id for update
    ), noted as (
      insert into held_replies (status_id, visibility, told, asks, push)
      select id, visibility, true, asks, false from shown on conflict (status_id) do nothing)
    update statuses s set visibility = ${HELD}, rev = s.rev + 1 from shown where s.id = shown.id
    returning s.id, s.author_id, s.tags, s.has_quote, shown.visibility, shown.asks`)

export const deleteHeld = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from held_replies where status_id = any(${ids}::bigint[])`)
