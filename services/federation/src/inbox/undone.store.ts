/** Activities that were undone, so that one that arrives late has no effect, and one that is sent again has. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface Undoing {
  /** Of the deed. */
  key: Buffer
  /** Actor id. */
  actor: string
  /** Id of the Undo in the inbox. */
  undo: string
  /** When its actor signed it; null when somebody passed it on. */
  signedAt: Date | null
}

const wasDone = (key: ReturnType<typeof sql>, actor: ReturnType<typeof sql>) =>
  sql`exists (select 1 from inbox_activities i where i.key = ${key} and i.actor = ${actor} and i.outcome = 'done')`

/** Remembers that actors take deeds back, as soon as that comes in; and which of those had been worked on by then. */
export const keepUndoings = async (tx: Tx, items: readonly Undoing[]): Promise<void> => {
  if (items.length === 0) return
  await tx.run(sql`insert into undone_activities (key, actor, signed_at, undo_id, late)
    select distinct on (one.key, one.actor) one.key, one.actor, one.signed_at, one.undo_id,
      ${wasDone(sql`one.key`, sql`one.actor`)}
    from unnest(${items.map((it) => it.key)}::bytea[], ${items.map((it) => it.actor)}::text[],
      ${items.map((it) => it.signedAt?.toISOString() ?? null)}::timestamptz[],
      ${items.map((it) => it.undo)}::bigint[]) as one(key, actor, signed_at, undo_id)
    order by one.key, one.actor, one.signed_at desc nulls last
    on conflict (key, actor) do update set at = now(), undo_id = excluded.undo_id, late = undone_activities.late or excluded.late,
      signed_at = greatest(undone_activities.signed_at, excluded.signed_at)`)
}

/** An Undo that waits to be worked on was said once more: it is about what came meanwhile, too. */
export const renewUndoings = async (tx: Tx, items: readonly Omit<Undoing, 'undo'>[]): Promise<void> => {
  if (items.length === 0) return
  await tx.run(sql`update undone_activities u set signed_at = one.signed_at, at = now()
    from (select key, actor, max(signed_at) as signed_at from unnest(${items.map((it) => it.key)}::bytea[],
      ${items.map((it) => it.actor)}::text[], ${items.map((it) => it.signedAt?.toISOString() ?? null)}::timestamptz[])
      as given(key, actor, signed_at) group by key, actor) as one
    where u.key = one.key and u.actor = one.actor and u.signed_at < one.signed_at
      and exists (select 1 from inbox_activities w where w.id = u.undo_id and w.outcome is null)`)
}

/** The same from the worker: whether the deed had been worked on may have become known since. `here` when it is known to be. */
export const markUndone = (db: Reader, key: Buffer, actor: string, here = false): Promise<number> =>
  db.run(sql`insert into undone_activities (key, actor, late)
    values (${key}, ${actor}, ${here} or ${wasDone(sql`${key}`, sql`${actor}`)})
    on conflict (key, actor) do update set late = undone_activities.late or excluded.late`)

/** The deed as it stands was said again and signed after the Undo; or in the same second, and came after it or together with it. */
const isAgain = sql`coalesce(i.again
  and (i.signed_at > u.signed_at or (i.received_at >= u.at and i.signed_at >= u.signed_at)), false)`

/** Types that may arrive later than a relation is requested again under its id. Each is about one status. */
const INTERACTIONS = ['Like', 'EmojiReact', 'Announce']

/** `undoing` while the Undo after which it was said again is still being worked on, `again` afterwards. */
export type UndoneState = 'undone' | 'undoing' | 'again' | 'not'

/**
 * Whether the deed of this key, as it waits, was taken back. Of the actor itself what overtook the deed counts, until it is
 * said again, and what it signed later; of what is passed on every undoing that is remembered. What overtook a relation counts
 * for six hours, because some servers use one id for every follow of a pair; what overtook a like or a boost as long as it is
 * remembered, because deliveries are repeated for days.
 */
export const undoneStateOf = async (db: Reader, key: Buffer, actor: string): Promise<UndoneState> => {
  const row = await db.row<{ undone: boolean; again: boolean; undoing: boolean }>(sql`select
      (i.id is not null and i.signed_at is null) or coalesce(u.signed_at > i.signed_at, false)
        or (not u.late and not ${isAgain}
          and (u.at > now() - interval '6 hours' or coalesce(i.type = any(${INTERACTIONS}), false))) as undone,
      ${isAgain} as again,
      ${isAgain} and exists (select 1 from inbox_activities w where w.id = u.undo_id and w.outcome is null) as undoing
    from undone_activities u left join inbox_activities i on i.key = u.key and i.actor = u.actor
    where u.key = ${key} and u.actor = ${actor}`)
  if (!row) return 'not'
  if (row.undone) return 'undone'
  if (row.undoing) return 'undoing'
  return row.again ? 'again' : 'not'
}

/** True when the actor signed the activity of this key after that moment. */
export const isSignedAfter = async (db: Reader, key: Buffer, actor: string, at: Date): Promise<boolean> =>
  (await db.row(sql`select 1 from inbox_activities where key = ${key} and actor = ${actor} and signed_at > ${at}`)) !==
  null

/** True when activities of this actor came under each of these keys, which are all different. */
export const areKnown = async (db: Reader, keys: readonly Buffer[], actor: string): Promise<boolean> =>
  (await db.rows(sql`select 1 from inbox_activities where key = any(${keys}::bytea[]) and actor = ${actor}`)).length ===
  keys.length

/**
 * How the deed stands that is known under this key and was taken back: `waiting` has not been worked on yet, `again` was said
 * once more after the Undo. `late` when it had been here before it was taken back.
 */
export const deedOf = async (
  db: Reader,
  key: Buffer,
  actor: string,
): Promise<{ standing: 'absent' | 'waiting' | 'closed' | 'again'; late: boolean }> => {
  const row = await db.row<{ known: boolean; outcome: string | null; again: boolean; late: boolean }>(
    sql`select i.id is not null as known, i.outcome, ${isAgain} as again, u.late
      from undone_activities u left join inbox_activities i on i.key = u.key and i.actor = u.actor
      where u.key = ${key} and u.actor = ${actor}`,
  )
  if (!row?.known) return { standing: 'absent', late: row?.late ?? false }
  const standing = row.again ? 'again' : row.outcome === null ? 'waiting' : 'closed'
  return { standing, late: row.late }
}
