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
  /** When the actor itself signed the request; absent or null when somebody passed it on. */
  signedAt?: Date | null
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

/** What brings words: when it names nobody, it is for each whose inbox it came to. */
const bringsWords: ReadonlySet<string> = new Set(['Create', 'Update'])

/** Deeds that servers say again under an id they used before, and that check what is there: they may be worked on twice. */
const SAID_AGAIN = ['Follow', 'Like', 'EmojiReact', 'Block', 'Undo', 'Accept', 'Reject']

/** What makes two deliveries the same: the key, or nothing for activities without an id. */
const keyOf = ({ origin, activityId, type, ownerId }: Incoming): Buffer | null => {
  if (activityId === null) return null
  const isForOwner = ownerId !== null && bringsWords.has(type)
  return activityKey(origin, isForOwner ? `${activityId}\n${ownerId}` : activityId)
}

/**
 * Keeps activities; gives for each the id under which it waits to be worked on, or null when it is there already. One that
 * had no effect before, or that now came to another inbox, takes the place of the earlier row: what was refused must never
 * keep out what is genuine. So does a deed that its actor signed anew: with another body, or five minutes after it was worked
 * on, before which it is the repetition of one whose answer was lost. What was signed earlier than the last, or is passed on,
 * repeats nothing.
 */
export const keepActivities = async (tx: Tx, items: readonly Incoming[]): Promise<(string | null)[]> => {
  const keys = items.map(keyOf)
  const names = keys.map((key) => key?.toString('hex') ?? null)
  // One statement may touch a row once: of equal ones in a batch the first counts, the others are known already.
  const firsts = items.flatMap((item, i) => {
    const name = names[i] ?? null
    return name === null || names.indexOf(name) === i ? [{ item, key: keys[i] ?? null }] : []
  })
  const rows = await tx.rows<{ id: string; key: Buffer | null }>(sql`
    insert into inbox_activities (id, key, activity_id, type, actor, owner_id, body, signed_at, digest)
    select * from unnest(
      ${firsts.map((it) => it.item.id)}::bigint[], ${firsts.map((it) => it.key)}::bytea[],
      ${firsts.map((it) => it.item.activityId)}::text[], ${firsts.map((it) => it.item.type)}::text[],
      ${firsts.map((it) => it.item.actor)}::text[], ${firsts.map((it) => it.item.ownerId)}::bigint[],
      ${firsts.map((it) => it.item.body)}::text[],
      ${firsts.map((it) => it.item.signedAt?.toISOString() ?? null)}::timestamptz[],
      ${firsts.map((it) => createHash('sha256').update(it.item.body).digest())}::bytea[])
    on conflict (key) where key is not null do update
      set type = excluded.type, actor = excluded.actor, owner_id = excluded.owner_id, body = excluded.body,
          outcome = null, reason = null, received_at = now(), closed_at = null, digest = excluded.digest,
          signed_at = case when excluded.signed_at is null then null
            else greatest(inbox_activities.signed_at, excluded.signed_at) end
      where inbox_activities.outcome in ('refused', 'ignored')
        or (inbox_activities.owner_id is distinct from excluded.owner_id
          and (inbox_activities.outcome is null or excluded.signed_at is not null))
        or (inbox_activities.outcome = 'done' and excluded.type = any(${SAID_AGAIN})
          and excluded.signed_at >= coalesce(inbox_activities.signed_at, inbox_activities.received_at)
          and (inbox_activities.digest <> excluded.digest
            or (excluded.signed_at > inbox_activities.signed_at or inbox_activities.signed_at is null)
              and inbox_activities.closed_at < now() - interval '5 minutes'))
    returning id, key`)
  const byKey = new Map(rows.flatMap((row) => (row.key === null ? [] : [[row.key.toString('hex'), row.id] as const])))
  return items.map((item, i) => {
    const name = names[i] ?? null
    if (name === null) return item.id
    return names.indexOf(name) === i ? (byKey.get(name) ?? null) : null
  })
}

/** An activity that is still to be worked on. */
export type OpenEntry = Pick<InboxEntry, 'id' | 'type' | 'actor' | 'owner_id'> & { body: string }

/** Those of the activities that are still to be worked on. */
export const inboxEntries = (db: Reader, ids: readonly string[]): Promise<OpenEntry[]> =>
  db.rows(sql`select id, type, actor, owner_id, body from inbox_activities
    where id = any(${ids}::bigint[]) and outcome is null and body is not null`)

export const inboxEntry = (db: Reader, id: string): Promise<InboxEntry | null> =>
  db.row(sql`select id, type, actor, owner_id, body, outcome, reason from inbox_activities where id = ${id}`)

export interface Closing {
  id: string
  outcome: OutcomeKind
  reason: string | null
}

/** Notes what became of activities and lets their texts go; for each false when somebody else was faster. */
export const closeEntries = async (db: Reader, items: readonly Closing[]): Promise<boolean[]> => {
  const rows = await db.rows<{ id: string }>(sql`update inbox_activities e
    set outcome = it.outcome, reason = it.reason, body = null, closed_at = now()
    from unnest(${items.map((it) => it.id)}::bigint[], ${items.map((it) => it.outcome)}::text[],
      ${items.map((it) => it.reason)}::text[]) as it(id, outcome, reason)
    where e.id = it.id and e.outcome is null returning e.id`)
  const closed = new Set(rows.map((row) => row.id))
  return items.map((it) => closed.has(it.id))
}

/** Remembers that an actor took a deed back, for when the deed itself arrives later; and whether it had been there before. */
export const markUndone = (tx: Tx, key: Buffer, actor: string): Promise<number> =>
  tx.run(sql`insert into undone_activities (key, actor, late)
    values (${key}, ${actor}, exists (
      select 1 from inbox_activities where key = ${key} and actor = ${actor} and outcome = 'done'))
    on conflict (key, actor) do update set at = now(), late = excluded.late`)

/**
 * Whether the deed of this key, as it waits, was taken back before. Of the actor itself only what overtook the deed in the last
 * six hours counts, because it may say it again; of what is passed on every undoing that is remembered.
 */
export const wasUndone = async (db: Reader, key: Buffer, actor: string): Promise<boolean> =>
  (await db.row(sql`select 1 from undone_activities u
    where u.key = ${key} and u.actor = ${actor} and (not u.late and u.at > now() - interval '6 hours'
      or exists (select 1 from inbox_activities i where i.key = u.key and i.signed_at is null))`)) !== null

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
    select key, actor from undone_activities where at < now() - interval '7 days' order by at limit ${most})`)
  return Math.max(activities, undone)
}

/** Forgets what this actor sent and took back before, at most `most` rows of each kind; what waits stays. Returns how many. */
export const forgetActor = async (
  db: Reader,
  { actor, before, most }: { actor: string; before: Date; most: number },
): Promise<number> => {
  const activities = await db.run(sql`delete from inbox_activities where id in (
    select id from inbox_activities where actor = ${actor} and received_at < ${before} and outcome is not null limit ${most})`)
  const undone = await db.run(sql`delete from undone_activities where actor = ${actor} and key in (
    select key from undone_activities where actor = ${actor} and at < ${before} limit ${most})`)
  return Math.max(activities, undone)
}
