/** Stores and reads relays, which staff adds (table `relays`). Relays are few, so no query is paged. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'

export type RelayStyle = 'inbox' | 'actor'
export type RelayState = 'idle' | 'pending' | 'accepted' | 'rejected'

export interface RelayRow {
  id: string
  url: string
  style: RelayStyle
  inbox_url: string
  /** Actor id of the relay; null until this server knows it, at the latest from the relay's Accept or Reject. */
  actor_uri: string | null
  state: RelayState
  /** Id of the Follow that this server sent to the relay; null while the relay is disabled. */
  follow_uri: string | null
  created_at: Date
}

export const allRelays = (db: Reader): Promise<RelayRow[]> => db.rows(sql`select * from relays order by id`)

export const relayByUrl = (db: Reader, url: string): Promise<RelayRow | null> =>
  db.row(sql`select * from relays where url = ${url}`)

export const relayById = (db: Reader, id: string): Promise<RelayRow | null> =>
  db.row(sql`select * from relays where id = ${id}`)

export const relayByFollow = (db: Reader, followUri: string): Promise<RelayRow | null> =>
  db.row(sql`select * from relays where follow_uri = ${followUri}`)

/**
 * The relays of an actor. An actor has several if staff added it by several addresses. The actor of a relay that was added by its
 * inbox is known only from its Accept.
 */
export const relaysByActor = (db: Reader, actorUri: string): Promise<RelayRow[]> =>
  db.rows(sql`select * from relays where actor_uri = ${actorUri} order by id`)

type RelayAddresses = Pick<RelayRow, 'url' | 'inbox_url' | 'actor_uri'>

const withAddressOf = (it: RelayAddresses): Sql =>
  sql`url = ${it.url} or inbox_url = ${it.inbox_url} or actor_uri = ${it.actor_uri}`

/** Whether a relay with this address, inbox or actor is stored. */
export const hasRelayLike = async (db: Reader, it: RelayAddresses): Promise<boolean> =>
  (await db.row(sql`select 1 from relays where ${withAddressOf(it)} limit 1`)) !== null

/**
 * Stores a relay. Returns false if its id, address, inbox or actor is stored already. Additions lock each other out, because
 * relays of two addresses with one inbox violate no unique index.
 */
export const insertRelay = async (
  tx: Tx,
  it: RelayAddresses & Pick<RelayRow, 'id' | 'style'> & { at: Date },
): Promise<boolean> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('relays', 0))`)
  const added = await tx.run(sql`insert into relays (id, url, style, inbox_url, actor_uri, created_at)
    select ${it.id}::bigint, ${it.url}, ${it.style}, ${it.inbox_url}, ${it.actor_uri}::text, ${it.at}::timestamptz
    where not exists (select from relays where ${withAddressOf(it)}) on conflict do nothing`)
  return added > 0
}

export const updateRelay = (
  db: Reader,
  id: string,
  it: { state: RelayState; followUri: string | null },
): Promise<number> => db.run(sql`update relays set state = ${it.state}, follow_uri = ${it.followUri} where id = ${id}`)

/**
 * Stores the state of the relay after the Accept or Reject of this Follow, and the relay's actor if it is not stored.
 * Returns the number of changed rows.
 */
export const recordResponse = (
  db: Reader,
  it: { followUri: string; state: 'accepted' | 'rejected'; actorUri: string },
): Promise<number> =>
  db.run(sql`update relays set state = ${it.state}, actor_uri = coalesce(actor_uri, ${it.actorUri})
    where follow_uri = ${it.followUri} and state in ('pending', 'accepted')`)

export const deleteRelay = (db: Reader, id: string): Promise<number> => db.run(sql`delete from relays where id = ${id}`)

/** True if a relay accepted the Follow of this server. */
export const hasRelays = async (db: Reader): Promise<boolean> =>
  (await db.row(sql`select 1 from relays where state = 'accepted' limit 1`)) !== null

/** Inboxes of the accepted relays of a style. */
export const relayInboxesOf = async (db: Reader, style: RelayStyle): Promise<string[]> => {
  const rows = await db.rows<{ url: string }>(sql`select inbox_url as url from relays
    where state = 'accepted' and style = ${style} order by id`)
  return rows.map((row) => row.url)
}
