/** Activities that came in: each kept once, worked on once, forgotten after a week. */
import { createHash } from 'node:crypto'
import { type Reader, sql, type Tx } from '@murmuration/db'

export type OutcomeKind = 'done' | 'ignored' | 'refused'

export interface Incoming {
  id: string
  origin: string
  activityId: string | null
  type: string
  actor: string
  ownerId: string | null
  body: string
}

export interface InboxEntry {
  id: string
  type: string
  actor: string
  owner_id: string | null
  body: string | null
  outcome: OutcomeKind | null
  reason: string | null
}

/** Under which an activity is known: its id together with the origin of its actor. */
export const activityKey = (origin: string, activityId: string): Buffer =>
  createHash('sha256').update(`${origin}\n${activityId}`).digest()

/**
 * Keeps an activity; null when it is there already. One that had no effect before, or that now came to another inbox,
 * takes the place of the earlier row: what was refused must never keep out what is genuine.
 */
export const keepActivity = async (tx: Tx, it: Incoming): Promise<string | null> => {
  const key = it.activityId === null ? null : activityKey(it.origin, it.activityId)
  const row = await tx.row<{ id: string }>(sql`
    insert into inbox_activities (id, key, activity_id, type, actor, owner_id, body)
    values (${it.id}, ${key}, ${it.activityId}, ${it.type}, ${it.actor}, ${it.ownerId}, ${it.body})
    on conflict (key) where key is not null do update
      set type = excluded.type, actor = excluded.actor, owner_id = excluded.owner_id, body = excluded.body,
          outcome = null, reason = null, received_at = now(), closed_at = null
      where inbox_activities.outcome in ('refused', 'ignored') or inbox_activities.owner_id is distinct from excluded.owner_id
    returning id`)
  return row?.id ?? null
}

export const inboxEntry = (db: Reader, id: string): Promise<InboxEntry | null> =>
  db.row(sql`select id, type, actor, owner_id, body, outcome, reason from inbox_activities where id = ${id}`)

/** Notes what became of an activity and lets its text go; false when somebody else was faster. */
export const closeEntry = async (
  tx: Tx,
  id: string,
  it: { outcome: OutcomeKind; reason: string | null },
): Promise<boolean> =>
  (await tx.run(sql`update inbox_activities
    set outcome = ${it.outcome}, reason = ${it.reason}, body = null, closed_at = now()
    where id = ${id} and outcome is null`)) > 0

/** Remembers that an actor took a deed back, for when the deed itself arrives later. */
export const markUndone = (tx: Tx, key: Buffer, actor: string): Promise<number> =>
  tx.run(sql`insert into undone_activities (key, actor) values (${key}, ${actor}) on conflict do nothing`)

export const wasUndone = async (db: Reader, key: Buffer, actor: string): Promise<boolean> =>
  (await db.row(sql`select 1 from undone_activities where key = ${key} and actor = ${actor}`)) !== null

/** How the activity stands that is known under this key: `waiting` has not been worked on yet. */
export const standingOf = async (db: Reader, key: Buffer, actor: string): Promise<'absent' | 'waiting' | 'closed'> => {
  const row = await db.row<{ outcome: string | null }>(
    sql`select outcome from inbox_activities where key = ${key} and actor = ${actor}`,
  )
  if (row === null) return 'absent'
  return row.outcome === null ? 'waiting' : 'closed'
}

/** Deletes what is older than it needs to be, at most `most` rows of each kind. Returns how many. */
export const forgetActivities = async (db: Reader, most: number): Promise<number> => {
  const activities = await db.run(sql`delete from inbox_activities where id in (
    select id from inbox_activities where received_at < now() - interval '7 days' order by received_at limit ${most})`)
  const undone = await db.run(sql`delete from undone_activities where (key, actor) in (
    select key, actor from undone_activities where at < now() - interval '1 day' order by at limit ${most})`)
  return Math.max(activities, undone)
}
