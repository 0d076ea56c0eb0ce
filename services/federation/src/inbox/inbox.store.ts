/** Activities that came in: each kept once, worked on once, forgotten after a week. */
import { createHash } from 'node:crypto'
import { type Reader, sql, type Tx } from '@murmuration/db'
import { keepUndoings, renewUndoings } from './undone.store.js'

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
  /** Key of the deed that it takes back, when it is an Undo. */
  undoes?: Buffer | null
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

/** Types that servers send again under the same id. Their handlers check the present state, so they may run twice. */
const SAID_AGAIN = ['Follow', 'Like', 'EmojiReact', 'Announce', 'Block', 'Undo', 'Accept', 'Reject', 'Add', 'Remove']

const digestOf = ({ body }: Incoming): Buffer => createHash('sha256').update(body).digest()

const timeOf = ({ signedAt }: Incoming): number => signedAt?.getTime() ?? 0

/**
 * What makes two deliveries the same: their id; without one the very letter, as its actor signed it. Null for what somebody
 * passed on without an id.
 */
const keyOf = (it: Incoming): Buffer | null => {
  const { origin, activityId, type, ownerId } = it
  if (activityId === null && !it.signedAt) return null
  const id = activityId ?? `letter ${timeOf(it)} ${digestOf(it).toString('hex')}`
  const isForOwner = ownerId !== null && bringsWords.has(type)
  return activityKey(origin, isForOwner ? `${id}\n${ownerId}` : id)
}

const nameOf = (it: Incoming): string | null => keyOf(it)?.toString('hex') ?? null

/** What stands here already, in the words of the statement below. */
const isNewer = sql`excluded.signed_at >= coalesce(inbox_activities.signed_at, inbox_activities.received_at)`
const isOther = sql`inbox_activities.digest <> excluded.digest`
/** Another letter: of other bytes, or of the same to the same inbox, signed later. */
const isAnother = sql`(${isOther} or (inbox_activities.owner_id is not distinct from excluded.owner_id
  and (excluded.signed_at > inbox_activities.signed_at or inbox_activities.signed_at is null)))`
/** Its Undo was signed between the two; in the same second as the first, and came after it. */
const isUndoneBetween = sql`exists (select 1 from undone_activities u where u.key = excluded.key and u.actor = excluded.actor
  and (u.signed_at > inbox_activities.signed_at
    or (u.at >= inbox_activities.received_at and u.signed_at = inbox_activities.signed_at))
  and u.signed_at <= excluded.signed_at)`
const isUndoneLater = sql`exists (select 1 from undone_activities u where u.key = excluded.key and u.actor = excluded.actor
  and coalesce(u.signed_at, u.at) > excluded.signed_at)`

/**
 * Keeps activities, each key once; gives for each the id under which it waits to be worked on, or null when it is there
 * already. One that had no effect before, or that now came to another inbox, takes the place of the earlier row: what was
 * refused must never keep out what is genuine. So does a deed of which its actor signed another letter, later: whether its
 * effect still stands is known to whoever works on it. The same letter is a repetition, and so is what was signed earlier than
 * the last one, or than its Undo, or is passed on. What had no effect is said again when its actor signs other bytes, or the
 * same six hours after; sooner they are late, as what never came is. Edits have other bytes each time.
 */
const keepRows = async (tx: Tx, items: readonly Incoming[]): Promise<Map<Incoming, string>> => {
  const rows = await tx.rows<{ id: string; key: Buffer | null }>(sql`
    insert into inbox_activities (id, key, activity_id, type, actor, owner_id, body, signed_at, digest)
    select * from unnest(
      ${items.map((it) => it.id)}::bigint[], ${items.map(keyOf)}::bytea[],
      ${items.map((it) => it.activityId)}::text[], ${items.map((it) => it.type)}::text[],
      ${items.map((it) => it.actor)}::text[], ${items.map((it) => it.ownerId)}::bigint[],
      ${items.map((it) => it.body)}::text[],
      ${items.map((it) => it.signedAt?.toISOString() ?? null)}::timestamptz[],
      ${items.map(digestOf)}::bytea[])
    on conflict (key) where key is not null do update
      set type = excluded.type, actor = excluded.actor, owner_id = excluded.owner_id, body = excluded.body,
          outcome = null, reason = null, received_at = now(), closed_at = null, digest = excluded.digest,
          again = (inbox_activities.outcome = 'done') is true or (inbox_activities.again and inbox_activities.outcome is null)
            or coalesce(inbox_activities.outcome, 'ignored') = 'ignored' and coalesce(inbox_activities.actor = excluded.actor
              and ${isNewer} and (${isOther} or inbox_activities.closed_at < now() - interval '6 hours'
                or (${isAnother} and ${isUndoneBetween})), false),
          signed_at = case when excluded.signed_at is null then null
            else greatest(inbox_activities.signed_at, excluded.signed_at) end
      where inbox_activities.outcome in ('refused', 'ignored')
        or (inbox_activities.owner_id is distinct from excluded.owner_id
          and (inbox_activities.outcome is null or excluded.signed_at is not null))
        or (inbox_activities.outcome = 'done' and excluded.type = any(${SAID_AGAIN})
          and ${isNewer} and ${isAnother} and not ${isUndoneLater})
        or (inbox_activities.outcome is null and excluded.type = any(${SAID_AGAIN}) and ${isAnother} and ${isUndoneBetween})
        or (excluded.type = 'Update' and ${isNewer} and ${isOther})
    returning id, key`)
  const byKey = new Map(rows.flatMap((row) => (row.key === null ? [] : [[row.key.toString('hex'), row.id] as const])))
  return new Map(
    items.flatMap((it) => {
      const name = nameOf(it)
      const id = name === null ? it.id : byKey.get(name)
      return id === undefined ? [] : [[it, id] as const]
    }),
  )
}

/**
 * What is repeated is known by when it was signed last: whoever caught one of those letters says nothing new with it, and an
 * Undo from before it is old.
 */
const noteRepeated = async (tx: Tx, items: readonly Incoming[]): Promise<void> => {
  const own = items.filter((it) => it.signedAt && it.activityId !== null)
  if (own.length === 0) return
  await tx.run(sql`update inbox_activities e set signed_at = it.signed_at, again = e.again or e.outcome is null
    from (select key, actor, digest, max(signed_at) as signed_at from unnest(${own.map(keyOf)}::bytea[], ${own.map((it) => it.actor)}::text[], ${own.map(digestOf)}::bytea[],
      ${own.map((it) => it.signedAt?.toISOString() ?? null)}::timestamptz[]) as given(key, actor, digest, signed_at)
      group by key, actor, digest) as it
    where e.key = it.key and e.actor = it.actor and e.digest = it.digest and e.signed_at < it.signed_at`)
}

/** Of each key the letter that was signed first, and where there are several the one that was signed last. */
const inOrder = (items: readonly Incoming[]): { first: Incoming[]; last: Incoming[] } => {
  const sorted = items.toSorted((a, b) => timeOf(a) - timeOf(b))
  const letters = [...Map.groupBy(sorted, (it) => nameOf(it) ?? it).values()]
  return {
    first: letters.flatMap((one) => one.slice(0, 1)),
    // A statement may touch a row once.
    last: letters.flatMap((one) => (one.length > 1 ? one.slice(-1) : [])),
  }
}

const keepAll = async (tx: Tx, items: readonly Incoming[]): Promise<Map<Incoming, string>> => {
  if (items.length === 0) return new Map()
  const { first, last } = inOrder(items)
  const kept = await keepRows(tx, first)
  const isFirst = new Set(kept.values())
  const again = last.length ? await keepRows(tx, last) : new Map<Incoming, string>()
  for (const [it, id] of again) if (!isFirst.has(id)) kept.set(it, id)
  await noteRepeated(
    tx,
    items.filter((it) => !kept.has(it) && !again.has(it)),
  )
  return kept
}

/**
 * Keeps activities (see above), what takes back first: so it is known what had been worked on by then, and what came together
 * with its Undo is measured by it as what came after. Gives for each the id under which it waits to be worked on, or null.
 */
export const keepActivities = async (tx: Tx, items: readonly Incoming[]): Promise<(string | null)[]> => {
  const undos = items.filter((item) => item.undoes)
  const others = items.filter((item) => !item.undoes)
  const kept = await keepAll(tx, undos)
  const undoings = undos.map((it) => ({
    key: it.undoes as Buffer,
    actor: it.actor,
    undo: kept.get(it) ?? null,
    signedAt: it.signedAt ?? null,
  }))
  await keepUndoings(
    tx,
    undoings.flatMap((it) => (it.undo === null ? [] : [{ ...it, undo: it.undo }])),
  )
  await renewUndoings(
    tx,
    undoings.filter((it) => it.undo === null),
  )
  for (const [it, id] of await keepAll(tx, others)) kept.set(it, id)
  return items.map((item) => kept.get(item) ?? null)
}

/** An activity that is still to be worked on, as it was kept at that moment: it may be said again meanwhile. */
export type OpenEntry = Pick<InboxEntry, 'id' | 'type' | 'actor' | 'owner_id'> & {
  body: string
  /** To the microsecond, as text. */
  kept: string
  received_at: Date
  signed_at: Date | null
}

/** Those of the activities that are still to be worked on. */
export const inboxEntries = (db: Reader, ids: readonly string[]): Promise<OpenEntry[]> =>
  db.rows(sql`select id, type, actor, owner_id, body, signed_at, received_at, received_at::text as kept from inbox_activities
    where id = any(${ids}::bigint[]) and outcome is null and body is not null`)

export const inboxEntry = (db: Reader, id: string): Promise<InboxEntry | null> =>
  db.row(sql`select id, type, actor, owner_id, body, outcome, reason from inbox_activities where id = ${id}`)

export interface Closing {
  id: string
  outcome: OutcomeKind
  reason: string | null
  /** Of which keeping; the one of now when absent. */
  kept?: string
}

/**
 * Notes what became of activities and lets their texts go; for each false when somebody else was faster, or when it was said
 * again meanwhile, which is still to be worked on.
 */
export const closeEntries = async (db: Reader, items: readonly Closing[]): Promise<boolean[]> => {
  const rows = await db.rows<{ id: string }>(sql`update inbox_activities e
    set outcome = it.outcome, reason = it.reason, body = null, closed_at = now()
    from unnest(${items.map((it) => it.id)}::bigint[], ${items.map((it) => it.outcome)}::text[],
      ${items.map((it) => it.reason)}::text[], ${items.map((it) => it.kept ?? null)}::timestamptz[]) as it(id, outcome, reason, kept)
    where e.id = it.id and e.outcome is null and (it.kept is null or it.kept = e.received_at) returning e.id`)
  const closed = new Set(rows.map((row) => row.id))
  return items.map((it) => closed.has(it.id))
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
