/**
 * Stores and reads pauses of hosts that recently did not respond, or that asked for a pause. All processes of media
 * share these rows.
 */
import { type Database, type Reader, sql, type Tx } from '@murmuration/db'
import { pausedHosts } from '../core/older-table-names.store.js'
import type { HostPause } from '../core/remote-file/retry.rules.js'

/**
 * `open`: the host is not paused. `probe`: the pause is over, and this request tests whether the host responds.
 * `pausedUntil`: no request is permitted until then.
 */
export type HostState = 'open' | 'probe' | { pausedUntil: Date }

/** Whether a request to a host is allowed now. A probe excludes other requests until `until`. */
export const hostStateOf = async (db: Reader, host: string, now: Date, until: Date): Promise<HostState> => {
  const row = await db.row<{ paused_until: Date; mine: boolean }>(sql`with mine as (
      update ${pausedHosts} set paused_until = ${until} where host = ${host} and paused_until <= ${now} returning 1)
    select paused_until, exists (select 1 from mine) as mine from ${pausedHosts} where host = ${host}`)
  if (row === null) return 'open'
  // Another request may have become the probe while this one waited for the row lock.
  return row.mine ? 'probe' : { pausedUntil: row.paused_until > now ? row.paused_until : until }
}

/** Pause of a host. The row is locked until the transaction ends. */
export const lockHost = async (tx: Tx, host: string): Promise<HostPause | null> => {
  const row = await tx.row<{ failures: number; paused_until: Date }>(
    sql`select failures, paused_until from ${pausedHosts} where host = ${host} for update`,
  )
  return row && { failures: row.failures, pausedUntil: row.paused_until.getTime() }
}

export const pauseHost = (tx: Tx, host: string, { failures, pausedUntil }: HostPause): Promise<number> =>
  tx.run(sql`insert into ${pausedHosts} (host, failures, paused_until)
    values (${host}, ${failures}, ${new Date(pausedUntil)})
    on conflict (host) do update set failures = excluded.failures, paused_until = excluded.paused_until`)

/** Removes the pause of a host that responded. */
export const endPause = (db: Reader, host: string): Promise<number> =>
  db.run(sql`delete from ${pausedHosts} where host = ${host}`)

/** Deletes up to `limit` rows of hosts whose pause ended before `before`. */
export const deleteHosts = async (db: Database, before: Date, limit: number): Promise<number> => {
  if (!(await db.exists(sql`select 1 from ${pausedHosts} where paused_until < ${before}`))) return 0
  return db.run(sql`delete from ${pausedHosts} where host in (
    select host from ${pausedHosts} where paused_until < ${before} order by paused_until limit ${limit} for update skip locked)`)
}
