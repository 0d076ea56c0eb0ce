/** The one fact about senders that stands in a `where`: whether they are suspended. Fed by events, newest wins. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Remembers how a sender stands. `rev` is the event's id; an older event changes nothing. */
export const rememberSuspension = (db: Reader, account: string, suspended: boolean, rev: string): Promise<number> =>
  db.run(sql`insert into sender_flags (account_id, suspended, rev) values (${account}, ${suspended}, ${rev})
    on conflict (account_id) do update set suspended = excluded.suspended, rev = excluded.rev
    where sender_flags.rev < excluded.rev`)

/** Narrows notifications `n` to those whose sender is not suspended. */
export const senderNotSuspended: Sql = sql`not exists (
  select 1 from sender_flags f where f.account_id = n.from_id and f.suspended)`
