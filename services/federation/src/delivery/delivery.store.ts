/** The ledger (table `deliveries`): one row per activity and inbox, with its state. */
import { asyncCommit, type Reader, type Sql, sql, type Tx, texts } from '@murmuration/db'
import { idFloor } from '@murmuration/kernel'
import { kindsSentToBlocked } from '../core/activity/compaction.rules.js'
import { actorDeletion, dailyDeliveryAt, deliveryRecipients } from '../core/older-table-names.store.js'
import { endingKinds, type NextState, STUCK_AFTER, TIMED_OUT } from './host-queue.rules.js'
import { countAbandoned } from './metrics.js'

/** States of a delivery. The index of a state is its number in the table. */
export const states = ['pending', 'delivered', 'refused', 'gave-up', 'replaced'] as const
export type State = (typeof states)[number]
export const stateNumber = (state: State): number => states.indexOf(state)

/** Stores inboxes that are not stored yet, and the host queues of their hosts. */
export const ensureInboxes = async (
  db: Reader,
  urls: readonly { url: string; host: string }[],
  nextId: () => string,
): Promise<void> => {
  const unknown = await db.rows<{
    url: string
  }>(sql`select url from unnest(${urls.map((it) => it.url)}::text[]) as asked(url)
    where not exists (select 1 from inboxes i where i.url = asked.url)`)
  if (unknown.length === 0) return
  const missing = new Set(unknown.map((row) => row.url))
  const fresh = urls.filter((it) => missing.has(it.url))
  const hosts = [...new Set(fresh.map((it) => it.host))]
  await db.run(sql`insert into lanes (id, host)
    select id, host from unnest(${hosts.map(nextId)}::bigint[], ${hosts}::text[]) as fresh(id, host)
    where not exists (select 1 from lanes l where l.host = fresh.host) order by host on conflict do nothing`)
  await db.run(sql`insert into inboxes (id, url, lane_id)
    select fresh.id, fresh.url, l.id
    from unnest(${fresh.map(nextId)}::bigint[], ${fresh.map((it) => it.url)}::text[], ${fresh.map((it) => it.host)}::text[])
      as fresh(id, url, host) join lanes l on l.host = fresh.host
    order by fresh.url on conflict do nothing`)
}

export interface Sending {
  activity: string
  actorId: string
  seq: string
  now: Date
  /** True: also sent to unavailable hosts, and to inboxes that returned 410. */
  bypass: boolean
}

/** Time for which an inbox that returned 410 counts as gone, unless its server sends a valid request before. */
export const GONE_FOR = '7 days'

/**
 * Stores deliveries of an activity to the inboxes that `receivers` selects. Returns the number of pending deliveries.
 *
 * Deliveries to unavailable hosts, except one daily delivery, and to inboxes that are gone are stored as given up.
 */
const insertPage = async (tx: Tx, it: Sending, receivers: ReturnType<typeof sql>): Promise<number> => {
  const row = await tx.row<{ pending: number; gone: number; given_up: number }>(sql`with fresh as (
      insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, at)
      select ${it.activity}, i.id, i.lane_id, ${it.actorId}, ${it.seq},
        case when not ${it.bypass} and (i.gone_at > ${it.now}::timestamptz - ${GONE_FOR}::interval
          or (l.unavailable_since is not null and l.${dailyDeliveryAt} > ${it.now})) then 3 else 0 end, ${it.now}
      from inboxes i join lanes l on l.id = i.lane_id where i.id in (${receivers}) order by i.id
      on conflict do nothing returning inbox_id, lane_id, state),
    daily as (
      update lanes set ${dailyDeliveryAt} = ${it.now}::timestamptz + interval '1 day'
      where id in (select id from lanes where unavailable_since is not null
        and id in (select lane_id from fresh where state = 0) order by id for update)),
    known as (
      insert into ${deliveryRecipients} (actor_id, inbox_id)
      select ${it.actorId}, inbox_id from fresh where state = 0 order by inbox_id on conflict do nothing)
    select count(*) filter (where f.state = 0)::int as pending,
      count(*) filter (where f.state = 3 and i.gone_at > ${it.now}::timestamptz - ${GONE_FOR}::interval)::int as gone,
      count(*) filter (where f.state = 3)::int as given_up
    from fresh f join inboxes i on i.id = f.inbox_id`)
  const { pending, gone, given_up } = row ?? { pending: 0, gone: 0, given_up: 0 }
  tx.onCommit(() => {
    countAbandoned('gone', gone)
    countAbandoned('unavailable', given_up - gone)
  })
  return pending
}

/** Stores deliveries of an activity to these inboxes. Returns the number of pending deliveries. */
export const sendTo = (tx: Tx, it: Sending, urls: readonly string[]): Promise<number> =>
  insertPage(tx, it, sql`select id from inboxes where url = any(${texts(urls)})`)

/**
 * Stores deliveries of an activity to all inboxes that received, or may have received, an activity about the object.
 *
 * A shared inbox replaces the inboxes of its server. Returns the number of pending deliveries.
 */
export const sendToReached = (tx: Tx, it: Sending, about: string): Promise<number> =>
  insertPage(
    tx,
    it,
    sql`select coalesce(own.shared_id, own.id) from (
      select d.inbox_id from activities a join deliveries d on d.activity_id = a.id
      where a.object_uri = ${about} and a.id <> ${it.activity} and (d.state in (0, 1) or (d.attempts > 0 and d.state <> 2))
      union select unnest(reached) from activities where object_uri = ${about} and reached is not null
    ) got join inboxes own on own.id = got.inbox_id`,
  )

/** Like `sendToReached`, for all delivery recipients of the actor. */
export const sendToRecipients = (tx: Tx, it: Sending): Promise<number> =>
  insertPage(
    tx,
    it,
    sql`select coalesce(own.shared_id, own.id) from ${deliveryRecipients} k join inboxes own on own.id = k.inbox_id
    where k.actor_id = ${it.actorId}`,
  )

/**
 * Marks pending deliveries of earlier activities about the same object as replaced, at the inboxes to which a later activity is sent.
 *
 * A delivery to a personal inbox is also replaced if the later activity is sent to the shared inbox of its server.
 */
export const replaceWaiting = (
  tx: Tx,
  it: { activity: string; about: string; kinds: 'everything' | readonly string[]; now: Date },
): Promise<number> => {
  const only = it.kinds === 'everything' ? sql`` : sql`and a.kind = any(${it.kinds}::text[])`
  return tx.run(sql`update deliveries d set state = 4, at = ${it.now}
    from activities a, deliveries later, inboxes own
    where a.object_uri = ${it.about} and a.id <> ${it.activity} ${only} and d.activity_id = a.id and d.state = 0
      and later.activity_id = ${it.activity} and later.state = 0 and own.id = d.inbox_id and later.inbox_id in (own.id, own.shared_id)`)
}

/**
 * Marks pending deliveries of a deleted actor as replaced, at the inboxes that receive its Delete. Returns the number
 * of replaced deliveries.
 */
export const replaceAllOf = (tx: Tx, it: { activity: string; actorId: string; now: Date }): Promise<number> =>
  tx.run(sql`update deliveries d set state = 4, at = ${it.now}
    from deliveries later, inboxes own
    where later.activity_id = ${it.activity} and d.lane_id = later.lane_id and d.actor_id = ${it.actorId}
      and d.state = 0 and d.activity_id <> ${it.activity}
      and own.id = d.inbox_id and later.inbox_id in (own.id, own.shared_id)`)

export interface Due {
  activity: string
  inbox: string
  queue: string
  actor: string
  /** URI of the object. Activities about one object are sent in order. */
  about: string
  /** Type of the activity, such as `Create`. */
  kind: string
  seq: string
  attempts: number
  status: number | null
  url: string
}

/** `isUnordered` of `host-queue.rules.ts` as an SQL condition on the row of `deliveries` with this alias. */
export const isUnordered = (row: Sql): Sql =>
  sql`(${row}.status = ${TIMED_OUT} or (${row}.attempts >= ${STUCK_AFTER} and ${row}.status is not null))`

/** Activities for one account that change a relationship with it. */
const relationKinds = ['Follow', 'Block', 'Accept', 'Reject']

/**
 * SQL condition: the server of the inbox must process the activity `da` after the earlier activity `ea`. `attempts`: attempts
 * to deliver `ea`.
 *
 * | `ea` | `da` | How long |
 * |---|---|---|
 * | any | about the same object | always |
 * | Undo, Reject or Remove for one account, except the Undo of a Like | `relationKinds` for that account, such as its next Block | always |
 * | Undo, Reject or Remove for one account | any other for that account | for `STUCK_AFTER` attempts |
 * | Undo or Remove for followers | Announce or Add, which may be of the same status | for `STUCK_AFTER` attempts |
 */
export const dependsOn = (da: Sql, ea: Sql, attempts: Sql): Sql => sql`(${da}.object_uri = ${ea}.object_uri
  or (${ea}.kind = any(${texts(endingKinds)}) and case when ${ea}.target_uri is null then ${da}.kind in ('Announce', 'Add') and ${attempts} < ${STUCK_AFTER}
    else ${da}.target_uri = ${ea}.target_uri and (${attempts} < ${STUCK_AFTER}
      or (${da}.kind = any(${texts(relationKinds)}) and ${ea}.object_uri not like '%#likes/%')) end))`

/** SQL condition: the server of the inbox must process the delivery `d` after the earlier delivery `e` (see `dependsOn`). */
const dependsOnEarlier = sql`exists (select 1 from activities ea, activities da
  where ea.id = e.activity_id and da.id = d.activity_id and ${dependsOn(sql`da`, sql`ea`, sql`e.attempts`)})`

/**
 * SQL condition: an earlier pending delivery `e` of the same actor to the same host that `d` waits for.
 *
 * If `e` is unordered (see `isUnordered`), only deliveries that depend on it wait (see `dependsOnEarlier`). For any other
 * `e`, `d` waits if the condition `whileWaiting` is true.
 */
export const waitsForEarlier = (whileWaiting: Sql): Sql => sql`exists (select 1 from deliveries e
  where e.lane_id = d.lane_id and e.actor_id = d.actor_id and e.state = 0 and e.seq < d.seq
    and case when ${isUnordered(sql`e`)} then ${dependsOnEarlier} else ${whileWaiting} end offset 0)`

/**
 * Deliveries that may be sent now to the hosts of these host queues, in the order of their events: at most `limit` per
 * host queue, and one unordered delivery more.
 *
 * A delivery is left out if an earlier delivery of its actor waits for a retry. Rows are read in index order (`offset
 * 0`), so that the cost does not depend on the number of pending deliveries.
 */
export const dueDeliveries = (db: Reader, queues: readonly string[], now: Date, limit: number): Promise<Due[]> =>
  db.rows(sql`select due.activity_id as activity, due.inbox_id as inbox, due.lane_id as queue, due.actor_id as actor, due.seq,
      due.attempts, due.status, i.url, a.object_uri as about, a.kind
    from unnest(${queues}::bigint[]) as queue(id)
    cross join lateral (
      (select d.* from deliveries d where d.lane_id = queue.id and d.state = 0 and d.at <= ${now}
        and ${isUnordered(sql`d`)} is not true and not ${waitsForEarlier(sql`e.at > ${now}`)}
        order by d.seq, d.activity_id limit ${limit})
      union all
      (select d.* from deliveries d where d.lane_id = queue.id and d.state = 0 and d.attempts > 0 and d.at <= ${now}
        and ${isUnordered(sql`d`)} and not ${waitsForEarlier(sql`false`)}
        order by d.at limit 1)) due
    join inboxes i on i.id = due.inbox_id join activities a on a.id = due.activity_id
    order by due.lane_id, due.seq, due.activity_id`)

export interface Result {
  activity: string
  inbox: string
  fate: NextState
  status: number | null
  /** True if the inbox responded 410, and so counts as gone. */
  gone: boolean
}

/** Common table expression that locks deliveries in the order of their keys, so that two transactions do not deadlock. */
const locked = (keys: Sql): Sql => sql`locked as (select d.activity_id, d.inbox_id from deliveries d
  join (${keys}) as one(activity_id, inbox_id) on d.activity_id = one.activity_id and d.inbox_id = one.inbox_id
  order by d.activity_id, d.inbox_id for update of d)`

/**
 * Stores results of deliveries. A success is stored even if the delivery was replaced, refused or given up meanwhile.
 *
 * The commit is asynchronous. If PostgreSQL crashes, some deliveries are sent again, and the recipient recognises their ids.
 */
export const recordResults = async (db: Reader, results: readonly Result[], now: Date): Promise<void> => {
  if (results.length === 0) return
  await db.run(sql`with r as (select * from unnest(${results.map((it) => it.activity)}::bigint[], ${results.map((it) => it.inbox)}::bigint[],
      ${results.map((it) => stateNumber(it.fate.state))}::smallint[], ${results.map((it) => it.status)}::smallint[],
      ${results.map((it) => (it.fate.state === 'pending' ? new Date(it.fate.nextAt) : now))}::timestamptz[])
      as r(activity_id, inbox_id, state, status, at)),
    ${locked(sql`select activity_id, inbox_id from r`)}
    update deliveries d set attempts = least(d.attempts + 1, 30000), status = r.status, at = r.at,
      state = case when d.state = 4 and r.state = 0 then 4 else r.state end
    from r, locked, ${asyncCommit}
    where d.activity_id = r.activity_id and d.inbox_id = r.inbox_id
      and locked.activity_id = r.activity_id and locked.inbox_id = r.inbox_id
      and (d.state in (0, 4) or (r.state = 1 and d.state in (2, 3)))`)
  const gone = results.filter((it) => it.gone).map((it) => it.inbox)
  if (gone.length) await db.run(sql`update inboxes set gone_at = ${now} where id = any(${gone}::bigint[])`)
}

/** Postpones pending deliveries until a time without counting an attempt, if they could not be sent for a reason of this server. */
export const postpone = (db: Reader, them: readonly Pick<Due, 'activity' | 'inbox'>[], until: Date): Promise<number> =>
  db.run(sql`with ${locked(sql`select * from unnest(${them.map((it) => it.activity)}::bigint[], ${them.map((it) => it.inbox)}::bigint[])`)}
    update deliveries d set at = ${until} from locked
    where d.activity_id = locked.activity_id and d.inbox_id = locked.inbox_id and d.state = 0`)

/**
 * Makes failed deliveries to the hosts of these host queues due now, except deliveries that failed `STUCK_AFTER` times
 * or more with a status. Returns the number of deliveries that became due.
 */
export const makeHostQueuesDue = (db: Reader, queues: readonly string[], now: Date): Promise<number> =>
  db.run(sql`update deliveries set at = ${now} where lane_id = any(${queues}::bigint[]) and state = 0 and attempts > 0
    and at > ${now} and not (attempts >= ${STUCK_AFTER} and status is not null and status <> ${TIMED_OUT})`)

/**
 * Maximum number of deliveries that one statement gives up or refuses per host queue. An unavailable host may have a
 * million pending deliveries.
 */
export const MAX_ROWS_PER_HOST_QUEUE = 5_000

/**
 * Gives up pending deliveries to the hosts of these host queues, oldest first, at most `MAX_ROWS_PER_HOST_QUEUE` per
 * host queue. Returns the number of given up deliveries.
 */
export const giveUpHostQueues = (db: Reader, queues: readonly string[], now: Date): Promise<number> =>
  db.run(sql`with ${locked(sql`select old.activity_id, old.inbox_id from unnest(${queues}::bigint[]) as queue(id)
      cross join lateral (select activity_id, inbox_id from deliveries where lane_id = queue.id and state = 0
        order by seq, activity_id limit ${MAX_ROWS_PER_HOST_QUEUE}) old`)}
    update deliveries d set state = 3, at = ${now} from locked
    where d.activity_id = locked.activity_id and d.inbox_id = locked.inbox_id and d.state = 0`)

/** Host queues that may have pending deliveries: host queues that are leased or have a due time. */
const waitedFor = sql`select id, unavailable_since from lanes where due_at is not null or held_until is not null`

/**
 * Gives up deliveries that were pending when their host became unavailable, at most `limit`. Returns the number of given
 * up deliveries.
 */
export const giveUpUnavailable = (db: Reader, now: Date, limit: number): Promise<number> =>
  db.run(sql`update deliveries d set state = 3, at = ${now} from (
      select old.* from (${waitedFor}) l cross join lateral (select activity_id, inbox_id from deliveries
        where lane_id = l.id and state = 0 and seq < (floor(extract(epoch from l.unavailable_since) * 1000)::bigint << 16)
        order by seq, activity_id limit ${limit}) old
      where l.unavailable_since is not null limit ${limit}) old
    where d.activity_id = old.activity_id and d.inbox_id = old.inbox_id and d.state = 0`)

/**
 * Gives up pending deliveries of events before `olderThanMs` (ms since the epoch), at most `limit`. Returns the number
 * of given up deliveries.
 */
export const giveUpOld = (db: Reader, olderThanMs: number, now: Date, limit: number): Promise<number> =>
  db.run(sql`update deliveries d set state = 3, at = ${now} from (
      select old.* from (${waitedFor}) l cross join lateral (select activity_id, inbox_id from deliveries
        where lane_id = l.id and state = 0 and seq < ${idFloor(olderThanMs)}::bigint
        order by seq, activity_id limit ${limit}) old limit ${limit}) old
    where d.activity_id = old.activity_id and d.inbox_id = old.inbox_id and d.state = 0`)

/**
 * Refuses pending deliveries to the blocked hosts of these host queues, except activities of the kinds that blocked
 * hosts receive.
 *
 * A delivery that was attempted may have arrived, so it is stored as given up. Refuses at most
 * `MAX_ROWS_PER_HOST_QUEUE` deliveries, and returns their number.
 */
export const refuseWaiting = (db: Reader, queues: readonly string[], now: Date): Promise<number> =>
  db.run(sql`update deliveries d set state = case when d.attempts > 0 then 3 else 2 end, at = ${now} from (
      select w.activity_id, w.inbox_id from deliveries w join activities a on a.id = w.activity_id
      where w.lane_id = any(${queues}::bigint[]) and w.state = 0 and not (a.kind = any(${kindsSentToBlocked}::text[]) or a.${actorDeletion})
      limit ${MAX_ROWS_PER_HOST_QUEUE}) w
    where d.activity_id = w.activity_id and d.inbox_id = w.inbox_id and d.state = 0`)
