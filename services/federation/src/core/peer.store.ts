/** Servers we have had to do with. */
import { type Reader, sql } from '@murmuration/db'

export const isPeer = async (db: Reader, host: string): Promise<boolean> =>
  (await db.row(sql`select 1 from peers where host = ${host}`)) !== null

/** Stores a server as known after a valid signature, which also shows that it is up. */
export const noteInbound = (db: Reader, host: string): Promise<number> =>
  db.run(sql`insert into peers (host, last_inbound_at) values (${host}, now())
    on conflict (host) do update set last_inbound_at = excluded.last_inbound_at`)

/** A server answered with an actor. */
export const noteMet = (db: Reader, host: string): Promise<number> =>
  db.run(sql`insert into peers (host) values (${host}) on conflict do nothing`)
