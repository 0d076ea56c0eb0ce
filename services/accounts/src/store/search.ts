/** The words of account names: writing them, and finding accounts by the beginnings of words. */
import { allPhrasesText, type Reader, type Sql, sql, type Tx, vectorText } from '@murmuration/db'
import { displayDomain, nameTerms } from '@murmuration/text'

/** Candidates that are ranked. A prefix of one letter has too many to rank them all. */
const CANDIDATES = 1_000

/** The names of an account. */
export interface Named {
  id: string
  username: string
  /** Null for accounts of this server. */
  domain: string | null
  display_name: string
}

const termsOf = ({ username, domain, display_name }: Named): string[] => {
  const shown = domain === null ? '' : displayDomain(domain)
  return nameTerms([display_name, username, domain ?? '', shown === domain ? '' : shown].join('\n'))
}

/** Indexes accounts by their current names. The rows of the accounts exist. */
export const putNames = async (tx: Tx, accounts: readonly Named[]): Promise<void> => {
  if (accounts.length === 0) return
  await tx.run(sql`insert into account_search (account_id, words)
    select id, words::tsvector from unnest(${accounts.map((one) => one.id)}::bigint[],
      ${accounts.map((one) => vectorText(termsOf(one)))}::text[]) as given(id, words)
    on conflict (account_id) do update set words = excluded.words where account_search.words <> excluded.words`)
}

/** Names of these accounts. Their rows are locked, so that no change comes between reading and indexing. */
export const namesOf = (tx: Tx, ids: readonly string[]): Promise<Named[]> =>
  tx.rows(sql`select id, username, domain, display_name from accounts where id = any(${ids}::bigint[])
    order by id for share`)

/** Ids of the next accounts of a backlog, the newest first; null when none is due. */
export const nextUnnamed = async (
  tx: Tx,
  at: Date,
  limit: number,
): Promise<{ backlog: number; ids: string[] } | null> => {
  const due = await tx.row<{ id: number; below: string }>(sql`select id, below from account_search_backlog
    where starts_at <= ${at} order by id for update skip locked limit 1`)
  if (!due) return null
  const rows = await tx.rows<{ id: string }>(
    sql`select id from accounts where id < ${due.below}::bigint order by id desc limit ${limit}`,
  )
  return { backlog: due.id, ids: rows.map((row) => row.id) }
}

/** Moves the mark of a backlog down; null removes the backlog. */
export const markUnnamed = (tx: Tx, backlog: number, below: string | null): Promise<number> =>
  below === null
    ? tx.run(sql`delete from account_search_backlog where id = ${backlog}`)
    : tx.run(sql`update account_search_backlog set below = ${below} where id = ${backlog}`)

export interface NameQuery {
  /** Phrases of terms that must all be there, as `beginnings` cuts them; not empty. */
  phrases: readonly (readonly string[])[]
  /** The phrases that are no beginning of a label of our own domain. */
  notOwnDomain: readonly (readonly string[])[]
  /** The user name that comes first, in lower case. */
  name: string
  /** Beginning of the domain or of a label of it, in lower case; null for any. */
  domain: string | null
  /** Accounts of this server count as accounts of that domain. */
  ownDomain: boolean
  viewer: string | null
  following: boolean
  limit: number
  offset: number
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const ofDomain = ({ domain, ownDomain }: NameQuery): Sql => {
  if (domain === null) return sql``
  const own = ownDomain ? sql`a.domain is null or` : sql``
  return sql`and (${own} a.domain like ${`${escaped(domain)}%`} or a.domain like ${`%.${escaped(domain)}%`})`
}

const query = (phrases: readonly (readonly string[])[]): Sql => sql`${allPhrasesText(phrases)}::text::tsquery`

/** All accounts whose names match, and those of followees, who could be beyond the first candidates. */
const candidatesOf = (wish: NameQuery): Sql => {
  const followees =
    wish.viewer === null
      ? null
      : sql`select i.account_id as id from account_search i where i.words @@ ${query(wish.phrases)}
          and i.account_id in (select target_id from follows where account_id = ${wish.viewer}
            union all select ${wish.viewer}::bigint)`
  if (wish.following && followees) return followees
  const domain = ofDomain(wish)
  const everybody = sql`(select i.account_id as id from account_search i join accounts a on a.id = i.account_id
      where i.words @@ ${query(wish.phrases)} ${domain} limit ${CANDIDATES})
    union (select a.id from accounts a where lower(a.username) = ${wish.name} ${domain} limit ${CANDIDATES})`
  const own =
    wish.notOwnDomain.length === 0 || wish.notOwnDomain.length === wish.phrases.length
      ? sql``
      : sql`union (select i.account_id from account_search i join accounts a on a.id = i.account_id
          where i.words @@ ${query(wish.notOwnDomain)} and a.domain is null ${domain} limit ${CANDIDATES})`
  return followees ? sql`${everybody} ${own} union (${followees})` : sql`${everybody} ${own}`
}

/** Ids, best first: the exact user name, then followees of the viewer, then by number of followers. */
export const searchAccounts = async (db: Reader, wish: NameQuery): Promise<string[]> => {
  const followedFirst =
    wish.viewer === null
      ? sql``
      : sql`exists (select 1 from follows f where f.account_id = ${wish.viewer} and f.target_id = a.id) desc,`
  const rows = await db.rows<{ id: string }>(sql`select a.id
    from (${candidatesOf(wish)}) c join accounts a on a.id = c.id
    left join account_stats s on s.account_id = a.id left join users u on u.account_id = a.id
    where a.suspended_at is null and a.moved_to_uri is null
      and (a.domain is not null or (u.confirmed_at is not null and u.approved)) ${ofDomain(wish)}
    order by (lower(a.username) = ${wish.name}) desc, ${followedFirst}
      greatest(s.followers_count, a.remote_followers_count, 0) desc, a.id
    limit ${wish.limit} offset ${wish.offset}`)
  return rows.map((row) => row.id)
}
