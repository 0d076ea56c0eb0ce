/**
 * Stores, closes and deletes received activities (table `inbox_activities`). Each is stored once, processed once, and
 * deleted after a week.
 */
import { createHash } from 'node:crypto'
import { fail } from '@murmuration/contracts/kit'
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { decideBatch, firstOfKeys, type KeyedDelivery, type StoredRows, undoName } from './batch.rules.js'
import { isoOf, microsOf, type OutcomeKind, type StoredActivity, type StoredUndo } from './state-input.rules.js'
import { STATE, type StateRow, stateOf, UNDO } from './state-row.store.js'
import { recordUndos } from './undo.store.js'

export type { OutcomeKind }

export interface InboundActivity {
  id: string
  origin: string
  activityId: string | null
  /**
   * Further parts of the identity (`identityParts`): ids of objects, and the digest of a comment. Empty or absent for
   * other types.
   */
  objects?: readonly string[]
  type: string
  actor: string
  ownerId: string | null
  body: string
  /** Time of the signature of the actor; absent or null if another server passed it on. */
  signedAt?: Date | null
  /** Key of the activity that an Undo undoes; absent or null for other types. */
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

/** Key of an activity: SHA-256 of its id and the origin of its actor. */
export const activityKey = (origin: string, activityId: string): Buffer =>
  createHash('sha256').update(`${origin}\n${activityId}`).digest()

/**
 * Types of activities with a new or changed object. Without addressing, such an activity is stored once per inbox that
 * receives it.
 */
const bringsContent: ReadonlySet<string> = new Set(['Create', 'Update'])

/** A delivery with its key and the received activity. */
interface Keyed extends KeyedDelivery {
  readonly item: InboundActivity
  /**
   * False for a delivery by which a repeated delivery cannot be recognised: it is stored without a key, as a row of its
   * own.
   */
  readonly isNamed: boolean
}

/**
 * Adds to a received activity the key by which repeated deliveries are recognised. Deliveries with the same key are the
 * same activity.
 *
 * | Activity | Key from |
 * |---|---|
 * | with id | origin, id and `objects` |
 * | without id, signed by its actor | origin, body and time of the signature |
 * | without id, forwarded by another server | none: each delivery is stored |
 *
 * The word `letter` of an older release is part of the second key, so that its rows are found.
 *
 * For content without addressing, the owner of the inbox is part of the key.
 */
const keyed = (item: InboundActivity): Keyed => {
  const { id, origin, activityId, objects = [], type, actor, ownerId, body, undoes } = item
  const signedAt = item.signedAt ? microsOf(item.signedAt) : null
  const digest = createHash('sha256').update(body).digest('hex')
  const isNamed = activityId !== null || signedAt !== null
  const name =
    activityId === null ? `letter ${item.signedAt?.getTime()} ${digest}` : [activityId, ...objects].join('\n')
  const isForOwner = ownerId !== null && bringsContent.has(type)
  const key = isNamed ? activityKey(origin, isForOwner ? `${name}\n${ownerId}` : name).toString('hex') : `unnamed ${id}`
  const target = undoes?.toString('hex') ?? null
  return { id, type, actor, ownerId, digest, signedAt, hasId: activityId !== null, key, undoes: target, item, isNamed }
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** Inserts activities whose key is new. Returns the inserted row ids. */
const insertNew = async (tx: Tx, rows: readonly Keyed[]): Promise<Set<string>> => {
  const inserted = await tx.rows<{ id: string }>(sql`
    insert into inbox_activities (id, key, activity_id, type, actor, owner_id, body, signed_at, digest)
    select * from unnest(
      ${rows.map((it) => it.id)}::bigint[], ${rows.map((it) => (it.isNamed ? bytes(it.key) : null))}::bytea[],
      ${rows.map(({ item }) => item.activityId)}::text[], ${rows.map((it) => it.type)}::text[],
      ${rows.map((it) => it.actor)}::text[], ${rows.map((it) => it.ownerId)}::bigint[],
      ${rows.map(({ item }) => item.body)}::text[], ${rows.map((it) => isoOf(it.signedAt))}::timestamptz[],
      ${rows.map((it) => bytes(it.digest))}::bytea[])
    order by 2, 1 on conflict (key) where key is not null do nothing returning id`)
  return new Set(inserted.map(({ id }) => id))
}

type LockedRow = StateRow & { key: Buffer; asked: string }

/**
 * Locks and reads the stored activities with these keys, and the recorded Undos of these activities by their actors.
 */
const lockRows = async (tx: Tx, wanted: readonly { key: string; actor: string }[]): Promise<StoredRows> => {
  const keys = wanted.map(({ key }) => bytes(key))
  const rows = await tx.rows<LockedRow>(sql`
    with i as materialized (select * from inbox_activities where key = any(${keys}::bytea[]) order by id for update)
    select it.key, it.actor as asked, ${STATE}, ${UNDO}
    from (select distinct key, actor from unnest(${keys}::bytea[], ${wanted.map(({ actor }) => actor)}::text[]) as given(key, actor)) it
    left join i on i.key = it.key
    left join undone_activities u on u.key = it.key and u.actor = it.actor`)
  const activities = new Map<string, StoredActivity>()
  const undos = new Map<string, StoredUndo>()
  for (const row of rows) {
    const key = row.key.toString('hex')
    const { stored, undo } = stateOf(row)
    if (stored !== null) activities.set(key, stored)
    if (undo !== null) undos.set(undoName(key, row.asked), undo)
  }
  return { now: Number(rows[0]?.now ?? 0), activities, undos }
}

interface Replacement {
  readonly delivery: Keyed
  readonly state: StoredActivity
}

/** Common table expression that locks activities in the order of their ids, so that two transactions do not deadlock. */
const locked = (ids: readonly string[]): Sql =>
  sql`locked as (select id from inbox_activities where id = any(${ids}::bigint[]) order by id for update)`

const replaceRows = (tx: Tx, items: readonly Replacement[]): Promise<number> =>
  tx.run(sql`with ${locked(items.map(({ state }) => state.id))}
    update inbox_activities e set type = it.type, actor = it.actor, owner_id = it.owner_id, body = it.body,
      outcome = null, reason = null, received_at = now(), closed_at = null, digest = it.digest, again = it.again,
      signed_at = it.signed_at
    from unnest(${items.map(({ state }) => state.id)}::bigint[], ${items.map(({ state }) => state.type)}::text[],
      ${items.map(({ state }) => state.actor)}::text[], ${items.map(({ state }) => state.ownerId)}::bigint[],
      ${items.map(({ delivery }) => delivery.item.body)}::text[], ${items.map(({ delivery }) => bytes(delivery.digest))}::bytea[],
      ${items.map(({ state }) => state.again)}::boolean[], ${items.map(({ state }) => isoOf(state.signedAt))}::timestamptz[])
      as it(id, type, actor, owner_id, body, digest, again, signed_at), locked
    where e.id = it.id and locked.id = it.id`)

const renewRows = (tx: Tx, items: readonly StoredActivity[]): Promise<number> =>
  tx.run(sql`with ${locked(items.map((it) => it.id))}
    update inbox_activities e set signed_at = it.signed_at, again = it.again
    from unnest(${items.map((it) => it.id)}::bigint[], ${items.map((it) => isoOf(it.signedAt))}::timestamptz[],
      ${items.map((it) => it.again)}::boolean[]) as it(id, signed_at, again), locked
    where e.id = it.id and locked.id = it.id`)

/**
 * Failure if another process deleted and stored a row between two statements. The status 503 of the failure makes the
 * sender deliver again.
 */
const changedMeanwhile = () => fail('unavailable', 'The activity is being stored by another process', { retryAfter: 1 })

/**
 * Applies the table of transitions in `state.rules.ts` to deliveries. Returns the row id of each delivery that needs a
 * job.
 *
 * Reads stored rows only if an activity is stored already, or if it undoes another activity.
 */
const applyTransitions = async (
  tx: Tx,
  deliveries: readonly Keyed[],
  inserted: ReadonlySet<Keyed>,
): Promise<ReadonlyMap<Keyed, string>> => {
  const known = deliveries.filter((it) => !inserted.has(it))
  const targets = deliveries.flatMap(({ undoes, actor }) => (undoes === null ? [] : [{ key: undoes, actor }]))
  if (known.length + targets.length === 0) return new Map(deliveries.map((it) => [it, it.id]))
  const rows = await lockRows(tx, [...known, ...targets])
  const newIds = new Set([...inserted].map(({ id }) => id))
  const activities = new Map([...rows.activities].filter(([, { id }]) => !newIds.has(id)))
  const decision = decideBatch({ ...rows, activities }, deliveries, inserted)
  if (decision.insert.length) {
    const late = await insertNew(tx, decision.insert)
    if (late.size < decision.insert.length) throw changedMeanwhile()
  }
  if (decision.replace.length) await replaceRows(tx, decision.replace)
  if (decision.renew.length) await renewRows(tx, decision.renew)
  await recordUndos(tx, decision.undos)
  return decision.queued
}

/**
 * Stores activities, one row per key. Returns per activity the row id that needs a job, or null if it has no effect.
 * The table in `state.rules.ts` decides about activities that are stored already. The rows of stored activities stay
 * locked until the transaction ends.
 */
export const storeActivities = async (tx: Tx, items: readonly InboundActivity[]): Promise<(string | null)[]> => {
  const deliveries = items.map(keyed)
  const first = firstOfKeys(deliveries)
  const inserted = await insertNew(tx, first)
  const queued = await applyTransitions(tx, deliveries, new Set(first.filter(({ id }) => inserted.has(id))))
  return deliveries.map((it) => queued.get(it) ?? null)
}

/** An activity that waits for its job. A redelivery may replace its row, which changes `kept`. */
export type OpenEntry = Pick<InboxEntry, 'id' | 'type' | 'actor' | 'owner_id'> & {
  body: string
  /** `received_at` as text, to the microsecond: identifies this version of the row. */
  kept: string
  received_at: Date
  signed_at: Date | null
}

/** Activities with these ids that wait for their job. Closed activities are left out. */
export const inboxEntries = (db: Reader, ids: readonly string[]): Promise<OpenEntry[]> =>
  db.rows(sql`select id, type, actor, owner_id, body, signed_at, received_at, received_at::text as kept from inbox_activities
    where id = any(${ids}::bigint[]) and outcome is null and body is not null`)

export interface Closing {
  id: string
  outcome: OutcomeKind
  reason: string | null
  /** Value of `kept` of the version that was processed; absent to close any version. */
  kept?: string
}

/**
 * Writes outcomes of activities and deletes their bodies. Returns false for each activity whose row was closed or
 * replaced meanwhile.
 */
export const closeEntries = async (db: Reader, items: readonly Closing[]): Promise<boolean[]> => {
  const rows = await db.rows<{ id: string }>(sql`with ${locked(items.map((it) => it.id))}
    update inbox_activities e set outcome = it.outcome, reason = it.reason, body = null, closed_at = now()
    from unnest(${items.map((it) => it.id)}::bigint[], ${items.map((it) => it.outcome)}::text[],
      ${items.map((it) => it.reason)}::text[], ${items.map((it) => it.kept ?? null)}::timestamptz[]) as it(id, outcome, reason, kept), locked
    where e.id = it.id and locked.id = it.id and e.outcome is null and (it.kept is null or it.kept = e.received_at) returning e.id`)
  const closed = new Set(rows.map((row) => row.id))
  return items.map((it) => closed.has(it.id))
}

/**
 * Deletes activities and recorded Undos older than a week, at most `limit` rows of each. Returns the larger number of
 * deleted rows.
 */
export const deleteActivities = async (db: Reader, limit: number): Promise<number> => {
  const activities = await db.run(sql`delete from inbox_activities where id in (
    select id from inbox_activities where received_at < now() - interval '7 days' order by received_at limit ${limit})`)
  const undone = await db.run(sql`delete from undone_activities where (key, actor) in (
    select key, actor from undone_activities where at < now() - interval '7 days' order by at limit ${limit})`)
  return Math.max(activities, undone)
}

/**
 * Deletes closed activities and recorded Undos of an actor before a time, at most `limit` of each. Returns the larger
 * number of deleted rows.
 */
export const deleteActivitiesOf = async (
  db: Reader,
  { actor, before, limit }: { actor: string; before: Date; limit: number },
): Promise<number> => {
  const activities = await db.run(sql`delete from inbox_activities where id in (
    select id from inbox_activities where actor = ${actor} and received_at < ${before} and outcome is not null limit ${limit})`)
  const undone = await db.run(sql`delete from undone_activities where actor = ${actor} and key in (
    select key from undone_activities where actor = ${actor} and at < ${before} limit ${limit})`)
  return Math.max(activities, undone)
}
