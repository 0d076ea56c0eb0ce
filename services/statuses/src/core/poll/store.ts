/** SQL of polls and votes. */
import { bigints, type Database, type Reader, sql, type Tx } from '@murmuration/db'
import type { Emoji } from '../status/store.js'

export interface PollRow {
  id: string
  status_id: string
  author_id: string
  local: boolean
  options: string[]
  /** Option texts as the poll's server sent them; null if the shown options are equal. */
  names: string[] | null
  votes: number[]
  voters: number | null
  multiple: boolean
  hide_totals: boolean
  expires_at: Date | null
  /** When the counts of a remote poll were last fetched. */
  fetched_at: Date
  /** Custom emoji of the status, which its poll options may use. */
  emojis: Emoji[]
}

export type NewPoll = Omit<PollRow, 'emojis' | 'fetched_at'>

const columns = sql`p.id, p.status_id, p.author_id, p.local, p.options, p.names, p.votes, p.voters, p.multiple, p.hide_totals,
  p.expires_at, p.fetched_at, (select s.emojis from statuses s where s.id = p.status_id) as emojis`

export const insertPoll = (tx: Tx, poll: NewPoll): Promise<number> =>
  tx.run(sql`insert into polls (id, status_id, author_id, local, options, names, votes, voters, multiple, hide_totals, expires_at)
    values (${poll.id}, ${poll.status_id}, ${poll.author_id}, ${poll.local}, ${poll.options}, ${poll.names}, ${poll.votes},
      ${poll.voters}, ${poll.multiple}, ${poll.hide_totals}, ${poll.expires_at})`)

/** Rows of polls by poll id. */
export const pollsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, PollRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<PollRow>(sql`select ${columns} from polls p where p.id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A poll locked for change, so that concurrent votes are counted one after the other. */
export const lockPoll = (tx: Tx, id: string): Promise<PollRow | null> =>
  tx.row(sql`select ${columns} from polls p where p.id = ${id} for update of p`)

/** Choices of an account by poll, in the order of voting. */
export const choicesOf = async (
  db: Reader,
  account: string,
  polls: readonly string[],
): Promise<Map<string, number[]>> => {
  if (polls.length === 0) return new Map()
  const rows = await db.rows<{ poll_id: string; choices: number[] }>(sql`select poll_id,
      array_agg(choice::int order by id, choice) as choices
    from poll_votes where account_id = ${account} and poll_id = any(${bigints(polls)}) group by poll_id`)
  return new Map(rows.map((row) => [row.poll_id, row.choices]))
}

/** Choices of many accounts in one poll. */
export const choicesOfMany = async (
  db: Reader,
  poll: string,
  accounts: readonly string[],
): Promise<Map<string, number[]>> => {
  const rows = await db.rows<{ account_id: string; choices: number[] }>(sql`select account_id,
      array_agg(choice::int order by id, choice) as choices
    from poll_votes where poll_id = ${poll} and account_id = any(${bigints(accounts)}) group by account_id`)
  return new Map(rows.map((row) => [row.account_id, row.choices]))
}

/** Stores votes and updates the counts. `first`: the account had not voted before. The caller has locked the poll. */
export const insertVotes = async (
  tx: Tx,
  poll: PollRow,
  vote: {
    id: string
    account: string
    choices: readonly number[]
    first: boolean
    /** ActivityPub id of the vote for each choice; null if the voter is local. */
    uris: readonly string[] | null
  },
): Promise<void> => {
  await tx.run(sql`insert into poll_votes (id, poll_id, account_id, choice, uri)
    select ${vote.id}::bigint, ${poll.id}::bigint, ${vote.account}::bigint, choice, uri
    from unnest(${vote.choices}::int[], ${vote.uris ?? []}::text[]) as one(choice, uri)`)
  const votes = poll.votes.map((n, i) => n + (vote.choices.includes(i) ? 1 : 0))
  await tx.run(sql`update polls set votes = ${votes}, voters = voters + ${vote.first ? 1 : 0} where id = ${poll.id}`)
}

/** Replaces the options of a poll and deletes all votes. */
export const resetPoll = async (
  tx: Tx,
  id: string,
  to: Pick<PollRow, 'options' | 'names' | 'votes' | 'voters' | 'multiple' | 'hide_totals' | 'expires_at'>,
): Promise<void> => {
  await tx.run(sql`delete from poll_votes where poll_id = ${id}`)
  await tx.run(sql`update polls set options = ${to.options}, names = ${to.names}, votes = ${to.votes}, voters = ${to.voters},
    multiple = ${to.multiple}, hide_totals = ${to.hide_totals}, expires_at = ${to.expires_at}, ended_at = null
    where id = ${id}`)
}

/** Changes the end of a poll and whether totals are hidden. The votes stay. */
export const changePoll = (tx: Tx, id: string, to: Pick<PollRow, 'hide_totals' | 'expires_at'>): Promise<number> =>
  tx.run(sql`update polls set hide_totals = ${to.hide_totals},
    ended_at = case when expires_at is distinct from ${to.expires_at}::timestamptz then null else ended_at end,
    expires_at = ${to.expires_at} where id = ${id}`)

/**
 * Stores the counts of the poll's server, but no count below the number of votes that are stored here. `closed`: the
 * poll is closed without a stated time, so a stored end that is earlier stays. Returns true if a value changed.
 */
export const tallyPoll = async (
  tx: Tx,
  id: string,
  { votes, voters, expires_at }: Pick<PollRow, 'votes' | 'voters' | 'expires_at'>,
  closed: boolean,
): Promise<boolean> => {
  const row = await tx.row<{ changed: boolean }>(sql`with old as (
      select votes, voters, expires_at from polls where id = ${id} for update)
    update polls p set fetched_at = now(), voters = ${voters}::int,
      expires_at = case when ${closed} then least(p.expires_at, ${expires_at}::timestamptz) else ${expires_at}::timestamptz end, votes = (
      select array_agg(greatest(said.n, (select count(*)::int from poll_votes v where v.poll_id = p.id and v.choice = said.i - 1))
        order by said.i)
      from unnest(${votes}::int[]) with ordinality as said(n, i))
    from old where p.id = ${id} and cardinality(p.options) = ${votes.length}::int
    returning (p.votes, p.voters, p.expires_at) is distinct from (old.votes, old.voters, old.expires_at) as changed`)
  return row?.changed ?? false
}

/**
 * Clears the mark that the end was announced, if the poll has another end than `expiresAt`. Returns true if the mark
 * was cleared.
 */
export const clearEnd = async (tx: Tx, id: string, expiresAt: Date | null = null): Promise<boolean> =>
  (await tx.run(sql`update polls set ended_at = null
    where id = ${id} and ended_at is not null and expires_at is distinct from ${expiresAt}::timestamptz`)) > 0

/** True if the end of the poll was announced. */
export const hasEnded = async (db: Reader, id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from polls where id = ${id} and ended_at is not null`)) !== null

export const deletePoll = async (tx: Tx, id: string): Promise<void> => {
  await tx.run(sql`delete from poll_votes where poll_id = ${id}`)
  await tx.run(sql`delete from polls where id = ${id}`)
}

/** True if the end time of any poll has passed and the poll is not yet marked as ended. */
export const isPollOver = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from polls where ended_at is null and expires_at <= ${now}`)

/**
 * Marks polls whose end time has passed as ended and returns them, at most `limit`. Locked rows are skipped, so that two
 * processes never return the same poll.
 */
export const takeEnded = (
  tx: Tx,
  now: Date,
  limit: number,
): Promise<Pick<PollRow, 'id' | 'status_id' | 'author_id' | 'local'>[]> =>
  tx.rows(sql`update polls set ended_at = ${now} where id in (
      select id from polls where ended_at is null and expires_at <= ${now} order by expires_at limit ${limit} for update skip locked)
    returning id, status_id, author_id, local`)

/** Ids of local accounts that voted in a poll, in ascending order, from the first id greater than `after`. */
export const localVoters = async (db: Reader, poll: string, after: string, limit: number): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select distinct v.account_id from poll_votes v
    where v.poll_id = ${poll} and v.uri is null and v.account_id > ${after}::bigint order by v.account_id limit ${limit}`)
  return rows.map((row) => row.account_id)
}
