/** Reads and writes severances, which are decisions that ended follows, and the ended follows. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Pair } from '../core/follow/store.js'

export type SeveranceKind = 'domain_block' | 'user_domain_block' | 'account_suspension'

export interface SeveranceRow {
  id: string
  account_id: string
  kind: SeveranceKind
  target_name: string
  purged: boolean
  following_count: number
  followers_count: number
  created_at: Date
}

/**
 * A follow between a local and a remote account, as the local account (`account_id`) lost it. `following`: the local
 * account was the follower.
 */
export interface Lost {
  account_id: string
  following: boolean
  address: string
  reblogs: boolean
  notify: boolean
  languages: string[] | null
}

/** The follows between a local and a remote account among `pairs`. The follows must be read before they end. */
export const lostIn = (db: Reader, pairs: readonly Pair[]): Promise<Lost[]> =>
  db.rows(sql`select case when a.domain is null then a.id else t.id end as account_id, a.domain is null as following,
      case when a.domain is null then t.username || '@' || t.domain else a.username || '@' || a.domain end as address,
      f.reblogs, f.notify, f.languages
    from unnest(${pairs.map((one) => one.from)}::bigint[], ${pairs.map((one) => one.to)}::bigint[]) as pair(from_id, to_id)
    join follows f on f.account_id = pair.from_id and f.target_id = pair.to_id
    join accounts a on a.id = f.account_id join accounts t on t.id = f.target_id
    where (a.domain is null) <> (t.domain is null)`)

/** A decision that ends follows. */
export interface SeveringDecision {
  kind: SeveranceKind
  /** The domain or handle of a remote account that the decision is about. */
  target: string
  /** Id of the decision. All pages of follows that the decision ends belong to one severance. */
  cause: string
}

export interface NewSeverance extends SeveringDecision {
  id: string
  account: string
  following: number
  followers: number
}

/** Stores how many follows and followers each account lost through a decision. A later page of the decision adds to the counts. */
export const putSeverances = (
  tx: Tx,
  rows: readonly NewSeverance[],
  at: Date,
): Promise<{ id: string; account_id: string; cause: string }[]> =>
  tx.rows(sql`insert into severances as s
      (id, account_id, kind, target_name, cause, following_count, followers_count, created_at)
    select id, account, kind, target, cause, following, followers, ${at}::timestamptz
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.account)}::bigint[],
      ${rows.map((row) => row.kind)}::text[], ${rows.map((row) => row.target)}::text[],
      ${rows.map((row) => row.cause)}::text[], ${rows.map((row) => row.following)}::int[],
      ${rows.map((row) => row.followers)}::int[]) as given(id, account, kind, target, cause, following, followers)
    order by account, cause
    on conflict (account_id, cause) do update set
      following_count = s.following_count + excluded.following_count,
      followers_count = s.followers_count + excluded.followers_count
    returning s.id, s.account_id, s.cause`)

export const insertLost = async (tx: Tx, lost: readonly (Lost & { severance: string })[]): Promise<void> => {
  await tx.run(sql`insert into severed_follows (severance_id, following, address, reblogs, notify, languages)
    select severance, following, address, reblogs, notify, languages
    from jsonb_to_recordset(${JSON.stringify(lost)}::jsonb)
      as r(severance bigint, following boolean, address text, reblogs boolean, notify boolean, languages text[])
    order by severance, following, address
    on conflict (severance_id, following, address) do update set restored_at = null,
      reblogs = excluded.reblogs, notify = excluded.notify, languages = excluded.languages`)
}

const columns = sql`s.id, s.account_id, s.kind, s.target_name, s.purged, s.following_count, s.followers_count, s.created_at`

/** SQL condition: not all follows of the severance are restored. A severance is hidden when all of its follows are restored. */
const shown = sql`s.following_count + s.followers_count > 0`

/** Severances of the given account by id. */
export const severancesByIds = (db: Reader, account: string, ids: readonly string[]): Promise<SeveranceRow[]> =>
  db.rows(sql`select ${columns} from severances s
    where s.id = any(${ids}::bigint[]) and s.account_id = ${account} and ${shown} order by s.id`)

/** Severances of an account, newest first, at most 100. */
export const severancesOf = (db: Reader, account: string): Promise<SeveranceRow[]> =>
  db.rows(sql`select ${columns} from severances s where s.account_id = ${account} and ${shown}
    order by s.id desc limit 100`)

/** Lost accounts whose follows are not restored, in the order of addresses. */
export const severedOf = (
  db: Reader,
  severance: string,
  following: boolean,
  page: { after: string; limit: number },
): Promise<Omit<Lost, 'account_id' | 'following'>[]> =>
  db.rows(sql`select address, reblogs, notify, languages from severed_follows
    where severance_id = ${severance} and following = ${following} and restored_at is null and address > ${page.after}
    order by address limit ${page.limit}`)
