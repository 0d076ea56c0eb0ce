/** Hosts of other servers' files that did not answer lately, as all processes know them. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { HostPause } from '../core/patience.rules.js'

/** `open` when nothing is known against a host, `probe` when its pause is over and who asks now finds out for all others, else paused. */
export type Standing = 'open' | 'probe' | { pausedUntil: Date }

/** Whether a host may be asked now; a probe has until `until` before another one may. */
export const standingOf = async (db: Reader, host: string, now: Date, until: Date): Promise<Standing> => {
  const row = await db.row<{ paused_until: Date; mine: boolean }>(sql`with mine as (
      update silent_hosts set paused_until = ${until} where host = ${host} and paused_until <= ${now} returning 1)
    select paused_until, exists (select 1 from mine) as mine from silent_hosts where host = ${host}`)
  if (row === null) return 'open'
  // Another request may have become the probe while this one waited for the row.
  return row.mine ? 'probe' : { pausedUntil: row.paused_until > now ? row.paused_until : until }
}

/** Pause of a host, locked until the transaction ends. */
export const lockHost = async (tx: Tx, host: string): Promise<HostPause | null> => {
  const row = await tx.row<{ failures: number; paused_until: Date }>(
    sql`select failures, paused_until from silent_hosts where host = ${host} for update`,
  )
  return row && { failures: row.failures, pausedUntil: row.paused_until.getTime() }
}

export const pauseHost = (tx: Tx, host: string, { failures, pausedUntil }: HostPause): Promise<number> =>
  tx.run(sql`insert into silent_hosts (host, failures, paused_until)
    values (${host}, ${failures}, ${new Date(pausedUntil)})
    on conflict (host) do update set failures = excluded.failures, paused_until = excluded.paused_until`)

/** The host answered. */
export const forgetHost = (db: Reader, host: string): Promise<number> =>
  db.run(sql`delete from silent_hosts where host = ${host}`)

/** Deletes up to `most` hosts whose pause ended before `before`: nobody asked them since. */
export const forgetHosts = (db: Reader, before: Date, most: number): Promise<number> =>
  db.run(sql`delete from silent_hosts where host in (
    select host from silent_hosts where paused_until < ${before} order by paused_until limit ${most} for update skip locked)`)
