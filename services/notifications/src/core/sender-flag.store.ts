/** Stores which senders are suspended, for use in queries. Events of the accounts service update the stored state. */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Stores whether an account is suspended. `rev`: id of the event. An event that is older than the stored one changes nothing. */
export const storeSuspension = (db: Reader, account: string, suspended: boolean, rev: string): Promise<number> =>
  db.run(sql`insert into sender_flags (account_id, suspended, rev) values (${account}, ${suspended}, ${rev})
    on conflict (account_id) do update set suspended = excluded.suspended, rev = excluded.rev
    where sender_flags.rev < excluded.rev`)

/** SQL condition: the sender of the notification or request `n` is not suspended. */
export const senderNotSuspended: Sql = sql`not exists (
  select 1 from sender_flags f where f.account_id = n.from_id and f.suspended)`
