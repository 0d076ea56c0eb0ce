/** SQL of mentioned accounts whose server did not respond, and their next try. */
import { type Database, type Reader, sql, type Tx } from '@murmuration/db'

export interface Unreached {
  status: string
  uri: string
  handle?: string | undefined
  host: string
}

export const insertUnreached = async (tx: Tx, all: readonly Unreached[], due: Date): Promise<void> => {
  if (all.length === 0) return
  await tx.run(sql`insert into unreached_mentions (status_id, uri, handle, host, due_at)
    select status_id, uri, handle, host, ${due} from unnest(${all.map((one) => one.status)}::bigint[],
      ${all.map((one) => one.uri)}::text[], ${all.map((one) => one.handle ?? null)}::text[],
      ${all.map((one) => one.host)}::text[]) as given(status_id, uri, handle, host)
    order by status_id, uri on conflict do nothing`)
}

/** Deletes a mention that could not be looked up. Returns false if another job or an edit had deleted it already. */
export const endUnreached = async (db: Reader, status: string, uri: string): Promise<boolean> =>
  (await db.run(sql`delete from unreached_mentions where status_id = ${status} and uri = ${uri}`)) > 0

/** Deletes the unreached mentions of these statuses. Returns the number of deleted rows. */
export const endUnreachedOf = (db: Reader, statuses: readonly string[]): Promise<number> =>
  db.run(sql`delete from unreached_mentions where status_id = any(${statuses}::bigint[])`)

/** True when a lookup of mentioned accounts is due. */
export const isLookupDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from unreached_mentions where due_at <= ${now}`)

/** Hosts with due lookups, the longest due first. All due lookups of these hosts are deferred to `until`. */
export const takeDueHosts = async (tx: Tx, it: { now: Date; until: Date; limit: number }): Promise<string[]> => {
  const rows = await tx.rows<{ host: string }>(sql`with due as (select host from unreached_mentions
      where due_at <= ${it.now} group by host order by min(due_at) limit ${it.limit}),
    put as (update unreached_mentions set due_at = ${it.until}
      where due_at <= ${it.now} and host in (select host from due) returning host)
    select distinct host from put`)
  return rows.map((row) => row.host)
}

/**
 * Unreached mentions of a host whose due time is exactly `until`. The order depends on `until`, so that mentions which
 * fail repeatedly do not delay the others.
 */
export const unreachedAt = (
  db: Reader,
  host: string,
  until: Date,
  limit: number,
): Promise<{ status: string; uri: string; handle: string | null }[]> =>
  db.rows(sql`select status_id as status, uri, handle from unreached_mentions
    where host = ${host} and due_at = ${until}
    order by hashtextextended(status_id || uri, ${until.getTime()}), status_id, uri limit ${limit}`)

/**
 * Counts a try for the due lookups of a host, which were deferred to `until`; with `among`, only for these. Defers each
 * by its next wait, or deletes it after its last try. Returns the number of deleted rows.
 */
export const countTry = async (
  tx: Tx,
  host: string,
  until: Date,
  among: readonly { status: string; uri: string }[] | null,
  it: { now: Date; waits: readonly number[] },
): Promise<number> => {
  const tried = sql`host = ${host} and due_at = ${until} and (${among === null}::boolean or (status_id, uri) in (
    select * from unnest(${(among ?? []).map((one) => one.status)}::bigint[], ${(among ?? []).map((one) => one.uri)}::text[])))`
  const gone = await tx.run(sql`delete from unreached_mentions where ${tried} and tries + 1 >= ${it.waits.length}`)
  await tx.run(sql`update unreached_mentions set tries = tries + 1,
      due_at = ${it.now}::timestamptz + make_interval(secs => (${it.waits}::int[])[tries + 2]) where ${tried}`)
  return gone
}
