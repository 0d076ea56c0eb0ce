/** Reads and writes follows and follow requests. The tables of both have the same columns. */
import { name, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/** Settings of a follow: whether boosts are shown, whether each status notifies, and the languages to show. */
export interface Choices {
  reblogs: boolean
  notify: boolean
  languages: string[] | null
}

export interface Pair {
  from: string
  to: string
}

/** A follow or request, as events contain it. */
export interface RelationEnd extends Pair {
  id: string
  fromLocal: boolean
  toLocal: boolean
  uri: string | null
}

export interface NewFollow extends Pair, Choices {
  id: string
  fromLocal: boolean
  /** Inbox of a remote follower. */
  inbox: string | null
  uri: string | null
  at: Date
}

export type FollowTable = 'follows' | 'follow_requests'

export const table = (which: FollowTable): Sql => name(which)

/** Pairs of accounts as SQL that queries join: a table `pair(from_id, to_id)`. */
const pairs = (list: readonly Pair[]): Sql =>
  sql`unnest(${list.map((one) => one.from)}::bigint[], ${list.map((one) => one.to)}::bigint[]) as pair(from_id, to_id)`

const end = sql`gone.id, gone.account_id as "from", gone.target_id as "to", gone.account_local as "fromLocal",
  target.domain is null as "toLocal", gone.uri`

/** Stores a follow or follow request. Returns false if it exists already. */
export const insertRelation = async (tx: Tx, which: FollowTable, row: NewFollow): Promise<boolean> =>
  (await tx.run(sql`insert into ${table(which)}
      (id, account_id, target_id, account_local, inbox, reblogs, notify, languages, uri, created_at)
    values (${row.id}, ${row.from}, ${row.to}, ${row.fromLocal}, ${row.inbox}, ${row.reblogs}, ${row.notify},
      ${row.languages}, ${row.uri}, ${row.at})
    on conflict (account_id, target_id) do nothing`)) > 0

/** Changes settings of a follow or request. Undefined fields keep their value. */
export const updateChoices = async (
  tx: Tx,
  which: FollowTable,
  pair: Pair,
  choices: { reblogs?: boolean | undefined; notify?: boolean | undefined; languages?: string[] | null | undefined },
): Promise<void> => {
  const languages = choices.languages === undefined ? sql`languages` : sql`${choices.languages}::text[]`
  await tx.run(sql`update ${table(which)} set reblogs = coalesce(${choices.reblogs ?? null}, reblogs),
      notify = coalesce(${choices.notify ?? null}, notify), languages = ${languages}
    where account_id = ${pair.from} and target_id = ${pair.to}`)
}

/**
 * Follows or requests to `target` by local accounts that are not suspended, in ascending order of id, after the id `after`. `actor`: actor
 * id of the follower.
 */
export const localRelationsTo = (
  db: Reader,
  which: FollowTable,
  target: string,
  page: { after: string; limit: number },
): Promise<{ id: string; uri: string | null; actor: string }[]> =>
  db.rows(sql`select f.id, f.uri, a.uri as actor from ${table(which)} f
    join accounts a on a.id = f.account_id and a.suspended_at is null
    where f.target_id = ${target} and f.account_local and f.id > ${page.after} order by f.id limit ${page.limit}`)

/** Replaces activity ids of follows or requests, and returns the changed rows. */
export const renameRelations = (
  tx: Tx,
  which: FollowTable,
  list: readonly { id: string; uri: string }[],
): Promise<RelationEnd[]> =>
  tx.rows(sql`with gone as (update ${table(which)} f set uri = given.uri
      from unnest(${list.map((one) => one.id)}::bigint[], ${list.map((one) => one.uri)}::text[]) as given(id, uri)
      where f.id = given.id returning f.*)
    select ${end} from gone join accounts target on target.id = gone.target_id order by gone.id`)

/** Stores the latest activity id of a follow or request. The Accept or Reject that answers the Follow names this id. */
export const updateUri = async (tx: Tx, which: FollowTable, pair: Pair, uri: string): Promise<void> => {
  await tx.run(sql`update ${table(which)} set uri = ${uri} where account_id = ${pair.from} and target_id = ${pair.to}`)
}

/** The activity id of the request or follow between two accounts; null if there is none, or it has no id. */
export const uriOf = async (tx: Tx, pair: Pair): Promise<string | null> =>
  (
    await tx.row<{ uri: string | null }>(sql`select uri from follow_requests
        where account_id = ${pair.from} and target_id = ${pair.to}
      union all select uri from follows where account_id = ${pair.from} and target_id = ${pair.to}`)
  )?.uri ?? null

/** Whether the request or follow between two accounts has this activity id, or had this id before a repeated Follow replaced it. */
export const hasActivityId = async (tx: Tx, pair: Pair, uri: string): Promise<boolean> => {
  const named = sql`account_id = ${pair.from} and target_id = ${pair.to}
    and (uri = ${uri} or ${uri}::text like '%#follows/' || id)`
  return (
    (await tx.row(sql`select 1 from follow_requests where ${named} union all select 1 from follows where ${named}`)) !==
    null
  )
}

/** Deletes follows or requests, and returns the deleted rows. */
export const deleteRelations = (tx: Tx, which: FollowTable, list: readonly Pair[]): Promise<RelationEnd[]> =>
  tx.rows(sql`with gone as (delete from ${table(which)} f using ${pairs(list)}
      where f.account_id = pair.from_id and f.target_id = pair.to_id returning f.*)
    select ${end} from gone join accounts target on target.id = gone.target_id order by gone.id`)

/**
 * Turns requests to `target` into follows: the requests of the accounts in `from`, or the `oldest` number of requests. With `oldest`,
 * requests of limited and suspended accounts are skipped.
 */
export const promoteRequests = (
  tx: Tx,
  target: string,
  who: { from: readonly string[] } | { oldest: number },
): Promise<RelationEnd[]> => {
  const chosen =
    'from' in who
      ? sql`q.account_id = any(${who.from}::bigint[])`
      : sql`q.id in (select r.id from follow_requests r join accounts a on a.id = r.account_id
          where r.target_id = ${target} and a.silenced_at is null and a.suspended_at is null
          order by r.id limit ${who.oldest})`
  return tx.rows(sql`with gone as (delete from follow_requests q where q.target_id = ${target} and ${chosen} returning q.*),
      fresh as (insert into follows
          (id, account_id, target_id, account_local, inbox, reblogs, notify, languages, uri, created_at)
        select id, account_id, target_id, account_local, inbox, reblogs, notify, languages, uri, created_at from gone
        on conflict (account_id, target_id) do nothing returning id)
    select ${end} from gone join fresh on fresh.id = gone.id join accounts target on target.id = gone.target_id
    order by gone.id`)
}

/**
 * Deletes list memberships and endorsements that require a follow between a pair of accounts. Returns the changed
 * lists.
 */
export const deleteListsAndEndorsements = async (
  tx: Tx,
  list: readonly Pair[],
): Promise<{ list_id: string; owner_id: string }[]> => {
  await tx.run(sql`delete from endorsements e using ${pairs(list)}
    where e.account_id = pair.from_id and e.target_id = pair.to_id`)
  return tx.rows(sql`delete from list_members m using ${pairs(list)}
    where m.owner_id = pair.from_id and m.member_id = pair.to_id and m.owner_id <> m.member_id
      and not exists (select 1 from follows f where f.account_id = m.owner_id and f.target_id = m.member_id)
      and not exists (select 1 from follow_requests q where q.account_id = m.owner_id and q.target_id = m.member_id)
    returning m.list_id, m.owner_id`)
}

/** For each pair: the lists of the account `from` that contain the account `to`. */
export const listsOfPairs = (db: Reader, list: readonly Pair[]): Promise<{ list_id: string; owner_id: string }[]> =>
  db.rows(sql`select m.list_id, m.owner_id from list_members m join ${pairs(list)}
    on m.owner_id = pair.from_id and m.member_id = pair.to_id`)

/** Stores follows or requests to one account, and returns the new ones. */
export const insertRelations = (tx: Tx, which: FollowTable, rows: readonly NewFollow[]): Promise<RelationEnd[]> =>
  tx.rows(sql`with fresh as (insert into ${name(which)}
      (id, account_id, target_id, account_local, inbox, reblogs, notify, languages, uri, created_at)
    select r.id, r."from", r."to", r."fromLocal", r.inbox, r.reblogs, r.notify, r.languages, r.uri, r.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, "from" bigint, "to" bigint,
      "fromLocal" boolean, inbox text, reblogs boolean, notify boolean, languages text[], uri text, at timestamptz)
    order by r."from", r."to", r.id on conflict (account_id, target_id) do nothing returning *)
    select fresh.id, fresh.account_id as "from", fresh.target_id as "to", fresh.account_local as "fromLocal",
      target.domain is null as "toLocal", fresh.uri
    from fresh join accounts target on target.id = fresh.target_id order by fresh.id`)
