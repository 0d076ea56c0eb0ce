/** Finds the follow, request or block that an activity created. */
import { type Reader, sql } from '@murmuration/db'

export const targetByActivity = (
  db: Reader,
  actor: string,
  uri: string,
): Promise<{ what: 'follow' | 'block'; target: string } | null> =>
  db.row(sql`select 'follow' as what, target_id as target from follows where account_id = ${actor} and uri = ${uri}
    union all select 'follow', target_id from follow_requests where account_id = ${actor} and uri = ${uri}
    union all select 'block', target_id from blocks where account_id = ${actor} and uri = ${uri} limit 1`)
