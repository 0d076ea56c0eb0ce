/** Stores outgoing activities, each once with its payload, and reads them (table `activities`). */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { actorDeletion } from '../older-table-names.store.js'
import { isEnd, outdatedBy, supersededBy } from './compaction.rules.js'

export interface NewActivity {
  id: string
  uri: string
  kind: string
  actorId: string
  seq: string
  /** URI of the object that the activity creates, changes or deletes. */
  about: string
  target: string | null
  isActorDeletion: boolean
  /** True for an activity about a followers-only status; an absent `forFollowers` means false. */
  forFollowers?: boolean
  body: string | null
  at: Date
  /**
   * Id generated before the content of this activity was read: stored activities with larger ids may make that content
   * out of date.
   *
   * `readAfter` is absent for content that cannot change.
   */
  readAfter?: string | undefined
}

const lockOf = (about: string) => sql`pg_advisory_xact_lock(hashtextextended(${`activity ${about}`}, 0))`

/** Locks an object until the transaction ends. Transactions that store activities about the same object run one after the other. */
export const lockAbout = async (tx: Tx, about: string): Promise<void> => {
  await tx.run(sql`select ${lockOf(about)}`)
}

/**
 * Locks the object and the actor of an activity. The lock of the actor is exclusive for its deletion, and shared for
 * its other activities.
 */
export const lockActivity = async (
  tx: Tx,
  { about, actorId, isActorDeletion }: Pick<NewActivity, 'about' | 'actorId' | 'isActorDeletion'>,
): Promise<void> => {
  const actor = sql`hashtextextended(${`said by ${actorId}`}, 0)`
  await tx.run(sql`select ${lockOf(about)},
    ${isActorDeletion ? sql`pg_advisory_xact_lock(${actor})` : sql`pg_advisory_xact_lock_shared(${actor})`}`)
}

const isOutdating = (it: Pick<NewActivity, 'kind' | 'readAfter'>) =>
  sql`(kind = any(${outdatedBy(it.kind)}::text[]) and id > ${it.readAfter ?? null}::bigint)`

/**
 * True if an activity about the same object was stored after `readAfter` and makes the content of this activity out of
 * date.
 */
export const isOutdated = async (db: Reader, it: Pick<NewActivity, 'about' | 'kind' | 'readAfter'>): Promise<boolean> =>
  (await db.row(sql`select 1 from activities where object_uri = ${it.about} and ${isOutdating(it)} limit 1`)) !== null

/**
 * Stores an activity. Returns false if nothing was stored:
 *
 * | Case | Stored |
 * |---|---|
 * | the activity is stored already | no |
 * | a Delete or Undo of its object is stored | no |
 * | its actor is deleted | no |
 * | a later activity about its object replaces it, or makes its content out of date | no |
 * | any other | yes |
 */
export const insertActivity = async (tx: Tx, it: NewActivity): Promise<boolean> => {
  const stored = await tx.run(sql`insert into activities
      (id, uri, kind, actor_id, seq, object_uri, target_uri, ${actorDeletion}, for_followers, body, created_at)
    select ${it.id}, ${it.uri}, ${it.kind}, ${it.actorId}, ${it.seq}, ${it.about}, ${it.target}, ${it.isActorDeletion},
      ${it.forFollowers ?? false}, ${it.body}, ${it.at}
    where (${it.isActorDeletion} or not exists (select 1 from gone_actors where account_id = ${it.actorId}))
      and (${isEnd(it.kind)} or not exists
        (select 1 from activities where object_uri = ${it.about} and (kind in ('Delete', 'Undo') or ${isOutdating(it)}
          or (kind = any(${it.readAfter ? [] : supersededBy(it.kind)}::text[]) and seq > ${it.seq}))))
    on conflict (uri) do nothing`)
  return stored > 0
}

/** JSON text of the activity with this URI. Null if the activity is not stored, or stored without its text. */
export const activityText = async (db: Reader, uri: string): Promise<string | null> =>
  (await db.row<{ body: string | null }>(sql`select body from activities where uri = ${uri}`))?.body ?? null

/** True if an activity about this object is stored with its text. */
export const wasPublished = async (db: Reader, about: string): Promise<boolean> =>
  (await db.row(sql`select 1 from activities where object_uri = ${about} and body is not null limit 1`)) !== null

/** True when a Delete or Undo of this object is stored. */
export const isEnded = async (db: Reader, about: string): Promise<boolean> =>
  (await db.row(sql`select 1 from activities where object_uri = ${about} and kind in ('Delete', 'Undo')`)) !== null

/** True if the Delete of this actor is stored. */
export const isDeletePublished = async (db: Reader, actorUri: string): Promise<boolean> =>
  (await db.row(sql`select 1 from activities where object_uri = ${actorUri} and ${actorDeletion}`)) !== null

export interface Bytes {
  id: string
  uri: string
  kind: string
  is_actor_deletion: boolean
  for_followers: boolean
  target_uri: string | null
  body: string | null
}

/** Stored activities with these ids, in no order. `body` is null for an activity stored without its text. */
export const bytesOf = (db: Reader, ids: readonly string[]): Promise<Bytes[]> =>
  db.rows(
    sql`select id, uri, kind, ${actorDeletion} as is_actor_deletion, for_followers, target_uri, body from activities where id = any(${ids}::bigint[])`,
  )

/**
 * Inboxes of direct activities (such as a Follow or Like) that this account sent after `since`, at most `limit`.
 *
 * The shared inbox replaces an inbox where it is known.
 */
export const lateTargets = async (db: Reader, actorId: string, since: Date, limit: number): Promise<string[]> => {
  const rows = await db.rows<{ url: string }>(sql`select distinct i.url from activities a
    join deliveries d on d.activity_id = a.id join inboxes own on own.id = d.inbox_id
    join inboxes i on i.id = coalesce(own.shared_id, own.id)
    where a.actor_id = ${actorId} and a.target_uri is not null and a.created_at > ${since} limit ${limit}`)
  return rows.map((row) => row.url)
}
