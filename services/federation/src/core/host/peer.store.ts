/** Stores and reads known servers: those that signed a valid request or returned an actor document (table `peers`). */
import { type Reader, sql } from '@murmuration/db'

export const isPeer = async (db: Reader, host: string): Promise<boolean> =>
  (await db.row(sql`select 1 from peers where host = ${host}`)) !== null

/** Stores a server after a valid signature from it, and the time of that signature. */
export const recordInbound = (db: Reader, host: string): Promise<number> =>
  db.run(sql`insert into peers (host, last_inbound_at) values (${host}, now())
    on conflict (host) do update set last_inbound_at = excluded.last_inbound_at`)

/** Stores a server that returned an actor document. */
export const recordPeer = (db: Reader, host: string): Promise<number> =>
  db.run(sql`insert into peers (host) values (${host}) on conflict do nothing`)
