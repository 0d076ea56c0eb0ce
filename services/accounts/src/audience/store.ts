/**
 * Reads the audience of an account: pages of local followers, inboxes of remote followers, and the followees from which
 * a feed is rebuilt.
 */
import { type Reader, type Sql, sql } from '@murmuration/db'

export interface FollowerRow {
  id: string
  reblogs: boolean
  notify: boolean
  languages: string[] | null
  /** False if the follower wants each boost of the same status in the home feed. */
  aggregate: boolean
}

/**
 * SQL condition: the home feed of the account shows several boosts of a status only once. Few accounts turn this option
 * off. Therefore a partial index contains only the accounts that did.
 */
const aggregates = (account: Sql): Sql =>
  sql`not exists (select 1 from preferences p where p.account_id = ${account} and not p.aggregate_reblogs)`

/**
 * Local followers that were active since `activeSince`, in ascending order of id, after the id `after`. With `notify`:
 * only followers who want a notification for each status of the author.
 */
export const activeFollowers = (
  db: Reader,
  author: string,
  page: { after: string; limit: number; activeSince: Date; notify?: boolean | undefined },
): Promise<FollowerRow[]> =>
  db.rows(sql`select f.account_id as id, f.reblogs, f.notify, f.languages, ${aggregates(sql`f.account_id`)} as aggregate
    from follows f join users u on u.account_id = f.account_id
    where f.target_id = ${author} and f.account_local and f.account_id > ${page.after}::bigint
      and u.active_at >= ${page.activeSince} ${page.notify ? sql`and f.notify` : sql``}
    order by f.account_id limit ${page.limit}`)

export interface AudiencePage {
  /** Ids of followers with default settings for this author, joined by commas; null if there are none. */
  plain: string | null
  others: (FollowerRow & { muting: boolean })[] | null
  /** Number of followers on the page, with default settings or others. */
  size: number
  last: string | null
}

/**
 * Returns the same page of followers as `activeFollowers`. Followers with default settings are aggregated to one string of ids.
 * Because nearly all followers have them, a row for each follower would dominate the cost of the query.
 */
export const audiencePage = async (
  db: Reader,
  author: string,
  page: { after: string; limit: number; activeSince: Date; now: Date },
): Promise<AudiencePage> =>
  (await db.row<AudiencePage>(sql`with page as materialized (
      select f.account_id as id, f.reblogs, f.notify, f.languages, ${aggregates(sql`f.account_id`)} as aggregate,
        exists (select 1 from mutes m where m.account_id = f.account_id and m.target_id = ${author}
          and (m.expires_at is null or m.expires_at > ${page.now})) as muting,
        exists (select 1 from list_members l where l.member_id = ${author} and l.owner_id = f.account_id) as listed
      from follows f join users u on u.account_id = f.account_id
      where f.target_id = ${author} and f.account_local and f.account_id > ${page.after}::bigint
        and u.active_at >= ${page.activeSince}
      order by f.account_id limit ${page.limit}
    ), recipients as (
      select *, reblogs and languages is null and not muting and not listed and aggregate as plain from page
    )
    select string_agg(id::text, ',' order by id) filter (where plain) as plain,
      json_agg(json_build_object('id', id::text, 'reblogs', reblogs, 'notify', notify, 'languages', languages,
        'muting', muting, 'aggregate', aggregate) order by id) filter (where not plain) as others,
      count(*)::int as size, max(id)::text as last
    from recipients`)) ?? { plain: null, others: null, size: 0, last: null }

/** Local accounts among `ids` that were active since `activeSince`, whether or not they follow the author. */
export const activeAccounts = (
  db: Reader,
  author: string,
  ids: readonly string[],
  activeSince: Date,
): Promise<FollowerRow[]> =>
  db.rows(sql`select u.account_id as id, coalesce(f.reblogs, true) as reblogs, coalesce(f.notify, false) as notify, f.languages,
      ${aggregates(sql`u.account_id`)} as aggregate
    from users u left join follows f on f.account_id = u.account_id and f.target_id = ${author}
    where u.account_id = any(${ids}::bigint[]) and u.active_at >= ${activeSince}
    order by u.account_id`)

export interface ListOfOwnerRow {
  owner_id: string
  id: string
  exclusive: boolean
  replies: 'list' | 'followed' | 'none'
}

/** Lists of the owners that contain `member`. An owner must follow the member, or be the member. */
export const listsContaining = (db: Reader, member: string, owners: readonly string[]): Promise<ListOfOwnerRow[]> =>
  owners.length === 0
    ? Promise.resolve([])
    : db.rows(sql`select m.owner_id, l.id, l.exclusive, l.replies_policy as replies
        from list_members m join lists l on l.id = m.list_id
        where m.member_id = ${member} and m.owner_id = any(${owners}::bigint[])
          and (m.owner_id = m.member_id
            or exists (select 1 from follows f where f.account_id = m.owner_id and f.target_id = m.member_id))
        order by l.id`)

export interface FolloweeRow {
  id: string
  reblogs: boolean
  languages: string[] | null
  exclusive: boolean
}

/** All followees of an account. `exclusive`: one of the account's exclusive lists contains the followee. */
export const followeesOf = (db: Reader, id: string): Promise<FolloweeRow[]> =>
  db.rows(sql`select f.target_id as id, f.reblogs, f.languages, apart.member_id is not null as exclusive
    from follows f
    left join (select distinct m.member_id from lists l join list_members m on m.list_id = l.id
      where l.account_id = ${id} and l.exclusive) apart on apart.member_id = f.target_id
    where f.account_id = ${id} order by f.target_id`)

/** Members of a list that its owner follows. The owner is included if the list contains the owner. */
export const membersForFeed = (db: Reader, owner: string, list: string): Promise<FolloweeRow[]> =>
  db.rows(sql`select m.member_id as id, coalesce(f.reblogs, true) as reblogs, f.languages, l.exclusive
    from lists l join list_members m on m.list_id = l.id
    left join follows f on f.account_id = m.owner_id and f.target_id = m.member_id
    where l.id = ${list} and l.account_id = ${owner} and (f.id is not null or m.member_id = m.owner_id)
    order by m.member_id`)

/**
 * Distinct inboxes of remote followers, in the order of inbox addresses, after the address `after`. The query jumps from one inbox to
 * the next, however many followers share it.
 * `blocked`: the account `unblockedBy` blocks the domain of one follower with the inbox. One is enough, because all
 * accounts of an inbox are on one server.
 */
export const inboxesOf = (
  db: Reader,
  author: string,
  page: { after: string; limit: number; unblockedBy?: string | undefined },
): Promise<{ inbox: string; blocked: boolean }[]> => {
  const blocked =
    page.unblockedBy === undefined
      ? sql`false`
      : sql`exists (select 1 from domain_blocks d where d.account_id = ${page.unblockedBy} and d.domain = (
          select a.domain from follows f join accounts a on a.id = f.account_id
          where f.target_id = ${author} and f.inbox = hop.inbox limit 1))`
  return db.rows(sql`with recursive hop as (
      (select inbox from follows where target_id = ${author} and inbox is not null and inbox > ${page.after}
        order by inbox limit 1)
      union all
      select (select f.inbox from follows f where f.target_id = ${author} and f.inbox is not null and f.inbox > hop.inbox
        order by f.inbox limit 1)
      from hop where hop.inbox is not null)
    select inbox, ${blocked} as blocked from hop where inbox is not null limit ${page.limit}`)
}

/**
 * Distinct inboxes of remote accounts that block `account`, in the order of inbox addresses, after the address `after`.
 * Suspended remote accounts are left out.
 */
export const inboxesOfBlockers = async (
  db: Reader,
  account: string,
  page: { after: string; limit: number },
): Promise<string[]> => {
  const rows = await db.rows<{ inbox: string }>(sql`select distinct coalesce(a.shared_inbox_url, a.inbox_url) as inbox
    from blocks b join accounts a on a.id = b.account_id
    where b.target_id = ${account} and a.domain is not null and a.suspended_at is null
      and coalesce(a.shared_inbox_url, a.inbox_url) > ${page.after}
    order by inbox limit ${page.limit}`)
  return rows.map((row) => row.inbox)
}

/** The accounts among `ids` that have at least one remote follower. */
export const followedElsewhere = async (db: Reader, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select wanted.id from unnest(${ids}::bigint[]) as wanted(id)
    where exists (select 1 from follows f where f.target_id = wanted.id and f.inbox is not null)`)
  return rows.map((row) => row.id)
}

/**
 * A page of actor ids with the ids of their follows, newest follow first. With `before`, the page has follows with
 * smaller ids. Without `before`, `number` selects the page, counted from 1.
 */
export const relationUris = (
  db: Reader,
  id: string,
  which: 'followers' | 'following',
  page: { number: number; before: string | undefined; size: number },
): Promise<{ id: string; uri: string }[]> => {
  const [side, other] = which === 'followers' ? [sql`target_id`, sql`account_id`] : [sql`account_id`, sql`target_id`]
  const [below, skipped] =
    page.before === undefined ? [sql``, (page.number - 1) * page.size] : [sql`and id < ${page.before}::bigint`, 0]
  return db.rows(sql`select f.id, a.uri
    from (select id, ${other} as other from follows where ${side} = ${id} ${below}
      order by id desc limit ${page.size} offset ${skipped}) f
    join accounts a on a.id = f.other order by f.id desc`)
}
