/** Reads the followers of an account whom the viewer follows. */
import { type Reader, sql } from '@murmuration/db'

/** Maximum number of familiar followers per account. Accounts that hide their follow lists are left out. */
const MAX_FOLLOWERS = 200

/** For each account in `ids`: its followers whom the viewer follows, newest follow first. */
export const familiarFollowers = (
  db: Reader,
  viewer: string,
  ids: readonly string[],
): Promise<{ id: string; follower_id: string }[]> =>
  db.rows(sql`select wanted.id, f.follower_id from unnest(${ids}::bigint[]) as wanted(id)
    join lateral (select theirs.account_id as follower_id, theirs.id as row_id
      from follows mine join follows theirs on theirs.account_id = mine.target_id and theirs.target_id = wanted.id
      join accounts a on a.id = theirs.account_id
      where mine.account_id = ${viewer} and a.suspended_at is null and a.hide_collections is not true
      order by theirs.id desc limit ${MAX_FOLLOWERS}) f on true
    order by wanted.id, f.row_id desc`)
