/** Stores, reads and deletes readers: servers that fetched a status without having received it. */
import { type Reader, sql } from '@murmuration/db'
import { idFloor } from '@murmuration/kernel'
import { deliveryRecipients } from '../older-table-names.store.js'

/** Maximum number of stored readers per status, and of stored readers on one host. */
const MAX_READERS = 500
const MAX_OF_HOST = 5
/**
 * Value of `inbox_id` that means all delivery recipients of the author. The value is stored if a status has more than
 * `MAX_READERS` readers.
 */
const ALL_RECIPIENTS = '0'

const places = (status: ReturnType<typeof sql>) => sql`(select inbox_id from readers where status_id = ${status}
  union all select unnest(inboxes) from old_readers where status_id = ${status})`

/** Ids of the statuses among `statuses` that the server of `inbox` neither received nor fetched. */
export const unreadAmong = async (
  db: Reader,
  statuses: readonly { id: string; uri: string }[],
  inbox: string,
): Promise<Set<string>> => {
  const own = sql`(select id from inboxes where url = ${inbox})`
  const rows = await db.rows<{ id: string }>(sql`select one.id
    from unnest(${statuses.map((it) => it.id)}::bigint[], ${statuses.map((it) => it.uri)}::text[]) as one(id, uri)
    where not exists (select 1 from ${places(sql`one.id`)} as r where r.inbox_id = ${own})
      and not exists (select 1 from activities a where a.object_uri = one.uri and (${own} = any(a.reached)
        or exists (select 1 from deliveries d where d.activity_id = a.id and d.inbox_id = ${own} and d.state = 1)))`)
  return new Set(rows.map((row) => row.id))
}

/**
 * Stores the server of `inbox` as reader of the statuses, and as delivery recipient of their authors. The inbox must be stored.
 *
 * | Case | Stored as |
 * |---|---|
 * | many inboxes on one host | the first `MAX_OF_HOST` |
 * | more readers than `MAX_READERS` | all recipients of the author |
 */
export const insertReader = (
  db: Reader,
  it: { inbox: string; statuses: readonly { id: string; author: string }[] },
): Promise<number> =>
  db.run(sql`with one as (
      select one.id, one.author, i.id as inbox, i.lane_id from unnest(${it.statuses.map((one) => one.id)}::bigint[],
        ${it.statuses.map((one) => one.author)}::bigint[]) as one(id, author) cross join inboxes i where i.url = ${it.inbox}),
    fits as (select one.*, (select count(*) from ${places(sql`one.id`)} as r) as known from one
      where (select count(*) from ${places(sql`one.id`)} as r join inboxes i on i.id = r.inbox_id
        where i.lane_id = one.lane_id) < ${MAX_OF_HOST}),
    reader as (insert into readers (status_id, inbox_id, author_id)
      select id, case when known < ${MAX_READERS} then inbox else ${ALL_RECIPIENTS}::bigint end, author from fits order by id
      on conflict do nothing)
    insert into ${deliveryRecipients} (actor_id, inbox_id) select distinct author, inbox from fits on conflict do nothing`)

/**
 * Stores the recipients of an activity as readers of a status it contains. If there are more than `MAX_READERS` readers,
 * `ALL_RECIPIENTS` is stored instead.
 */
export const recordShown = (db: Reader, it: { activity: string; status: string; author: string }): Promise<number> =>
  db.run(sql`with got as (select inbox_id from deliveries where activity_id = ${it.activity} limit ${MAX_READERS + 1})
    insert into readers (status_id, inbox_id, author_id)
      select distinct ${it.status}::bigint, case when (select count(*) from got) > ${MAX_READERS} then ${ALL_RECIPIENTS}::bigint else inbox_id end,
        ${it.author}::bigint from got
    on conflict do nothing`)

export interface Readers {
  /** Inboxes of the servers that are stored as readers of the status. */
  inboxes: string[]
  /**
   * True if the status had more than `MAX_READERS` readers: then all delivery recipients of the author count as its
   * readers.
   */
  allRecipients: boolean
}

/** Stored readers of a status. */
export const readersOf = async (db: Reader, statusId: string): Promise<Readers> => {
  const rows = await db.rows<{ inbox_id: string; url: string | null }>(sql`select r.inbox_id, i.url
    from ${places(sql`${statusId}`)} as r left join inboxes i on i.id = r.inbox_id order by i.url`)
  return {
    inboxes: rows.flatMap((row) => row.url ?? []),
    allRecipients: rows.some((row) => row.inbox_id === ALL_RECIPIENTS),
  }
}

export const deleteReaders = async (db: Reader, statusId: string): Promise<void> => {
  await db.run(sql`delete from readers where status_id = ${statusId}`)
  await db.run(sql`delete from old_readers where status_id = ${statusId}`)
}

/** Deletes the stored readers of these statuses, except statuses whose Delete was not sent yet. */
export const deleteEndedReaders = async (
  db: Reader,
  statuses: readonly { id: string; uri: string }[],
): Promise<void> => {
  const ended = sql`(select one.id from unnest(${statuses.map((it) => it.id)}::bigint[],
    ${statuses.map((it) => it.uri)}::text[]) as one(id, uri)
    where exists (select 1 from activities a where a.object_uri = one.uri and a.kind = 'Delete'))`
  await db.run(sql`delete from readers where status_id in ${ended}`)
  await db.run(sql`delete from old_readers where status_id in ${ended}`)
}

/**
 * Moves readers of statuses older than `before` from `readers` to `old_readers`, which has one row per status.
 *
 * Moves the readers of at most `limit` statuses. Returns the number of changed rows of `old_readers`.
 */
export const foldReaders = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`with due as (
      select distinct status_id from readers where status_id < ${idFloor(before.getTime())}::bigint order by status_id limit ${limit}),
    moved as (delete from readers where status_id = any(array(select status_id from due)) returning status_id, inbox_id, author_id)
    insert into old_readers (status_id, author_id, inboxes)
      select status_id, max(author_id), array_agg(inbox_id) from moved group by status_id order by status_id
    on conflict (status_id) do update set author_id = coalesce(old_readers.author_id, excluded.author_id),
      inboxes = (select array_agg(distinct one) from unnest(old_readers.inboxes || excluded.inboxes) as all_of_them(one))`)

/**
 * Deletes readers of statuses of authors deleted after `since`. Statuses of a deleted author get no Delete of their
 * own.
 *
 * Deletes at most `limit` rows from `readers`, and as many from `old_readers`. Returns the larger number of deleted
 * rows.
 */
export const deleteReadersOfGone = async (db: Reader, since: Date, limit: number): Promise<number> => {
  const gone = sql`select account_id from gone_actors where at > ${since}`
  const recent = await db.run(sql`delete from readers where (status_id, inbox_id) in (
    select status_id, inbox_id from readers where author_id in (${gone}) limit ${limit})`)
  const old = await db.run(sql`delete from old_readers where status_id in (
    select status_id from old_readers where author_id in (${gone}) limit ${limit})`)
  return Math.max(recent, old)
}
