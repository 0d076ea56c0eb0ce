/** SQL of emoji reactions. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

/** The emoji of a reaction: Unicode, or a custom emoji with its local copy. */
export interface ReactionEmoji {
  /** The Unicode emoji, or the shortcode without colons. */
  name: string
  /** Domain of a custom emoji; null for Unicode. */
  domain: string | null
  url: string | null
  static_url: string | null
}

export interface Reaction extends ReactionEmoji {
  account_id: string
  status_id: string
  /** ActivityPub id of the activity with which a remote account reacted; null if there is none. */
  uri: string | null
}

/** All emoji reactions to one status with the same emoji. */
export interface Reactions extends ReactionEmoji {
  status_id: string
  count: number
  /** Ids of the first ten accounts that reacted. */
  accounts: string[]
}

/** Maximum number of emoji shown per status, and of accounts listed per emoji. */
const MAX_EMOJI = 20
const MAX_ACCOUNTS = 10
/** Maximum number of emoji reactions counted per status, newest first. */
const MAX_COUNTED = 1_000

/**
 * Stores an account's reaction, replacing an older one. Returns false if the account already had a reaction to the
 * status.
 */
export const putReaction = async (tx: Tx, one: Reaction, at: Date): Promise<boolean> =>
  (
    await tx.row<{ fresh: boolean }>(sql`insert into reactions
        (account_id, status_id, uri, name, domain, url, static_url, created_at)
      values (${one.account_id}, ${one.status_id}, ${one.uri}, ${one.name}, ${one.domain}, ${one.url},
        ${one.static_url}, ${at})
      on conflict (account_id, status_id) do update set uri = excluded.uri, name = excluded.name,
        domain = excluded.domain, url = excluded.url, static_url = excluded.static_url, created_at = excluded.created_at
      returning xmax = 0 as fresh`)
  )?.fresh === true

/** Deletes an account's reaction. Returns false if the reaction did not exist. */
export const deleteReaction = async (tx: Tx, account: string, status: string): Promise<boolean> =>
  (await tx.run(sql`delete from reactions where account_id = ${account} and status_id = ${status}`)) > 0

/** The reaction of an account to a status; null if none. */
export const reactionOf = (
  db: Reader,
  account: string,
  status: string,
): Promise<Pick<Reaction, 'uri' | 'name' | 'domain'> | null> =>
  db.row(sql`select uri, name, domain from reactions where account_id = ${account} and status_id = ${status}`)

/** Status that an activity of this account reacted to; null if unknown. */
export const reactedByUri = (db: Reader, account: string, uri: string): Promise<{ status_id: string } | null> =>
  db.row(sql`select status_id from reactions where uri = ${uri} and account_id = ${account}`)

/** Emoji reactions to these statuses, grouped by emoji, most frequent first. Emoji reactions of suspended accounts are excluded. */
export const reactionsOn = (db: Reader, statuses: readonly string[]): Promise<Reactions[]> =>
  db.rows(sql`select r.* from unnest(${bigints(statuses)}) as wanted(id)
    cross join lateral (
      select wanted.id as status_id, name, domain, max(url) as url, max(static_url) as static_url,
        count(*)::int as count, (array_agg(account_id::text order by created_at, account_id))[1:${MAX_ACCOUNTS}::int] as accounts
      from (
        select * from reactions one where one.status_id = wanted.id
          and not exists (select 1 from author_flags a where a.account_id = one.account_id and a.suspended)
        order by created_at desc limit ${MAX_COUNTED}
      ) few
      group by name, domain
      order by count(*) desc, min(created_at), name limit ${MAX_EMOJI}
    ) r`)

/** Emoji reactions for these pairs of account and status. */
export const reactionsOfPairs = (
  db: Reader,
  pairs: readonly { account: string; status: string }[],
): Promise<Reaction[]> =>
  db.rows(sql`select r.account_id, r.status_id, r.uri, r.name, r.domain, r.url, r.static_url
    from unnest(${pairs.map((one) => one.account)}::bigint[], ${pairs.map((one) => one.status)}::bigint[])
      as pair(account, status)
    join reactions r on r.account_id = pair.account and r.status_id = pair.status`)

/** Deletes an account's emoji reactions to these statuses. Returns the ids of the statuses that had one. */
export const eraseReactionsOf = async (tx: Tx, account: string, statuses: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(sql`delete from reactions
      where account_id = ${account} and status_id = any(${bigints(statuses)}) returning status_id`)
  ).map((row) => row.status_id)

/** Deletes all emoji reactions to these statuses. */
export const deleteReactionsTo = (tx: Tx, statuses: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reactions where status_id = any(${bigints(statuses)})`)
