/** Table `markers`: one row per account and timeline. `version` counts the writes. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface MarkerRow {
  timeline: 'home' | 'notifications'
  last_read_id: string
  version: number
  updated_at: Date
}

/** Maximum time that a write waits for a lock (`lock_timeout` of PostgreSQL). After the last try, the client gets a conflict (409). */
const WAIT = '2s'

export const markersOf = (db: Reader, account: string, timelines: readonly string[]): Promise<MarkerRow[]> =>
  db.rows(sql`select timeline, last_read_id, version, updated_at from markers
    where account_id = ${account} and timeline = any(${timelines}::text[]) order by timeline`)

/** Writes read positions of timelines, and returns the rows. */
export const writeMarkers = async (
  tx: Tx,
  account: string,
  positions: readonly { timeline: string; id: string }[],
  at: Date,
): Promise<MarkerRow[]> => {
  await tx.run(sql`select set_config('lock_timeout', ${WAIT}, true)`)
  return tx.rows(sql`insert into markers (account_id, timeline, last_read_id, version, updated_at)
    select ${account}::bigint, timeline, id, 1, ${at}::timestamptz
    from unnest(${positions.map((one) => one.timeline)}::text[], ${positions.map((one) => one.id)}::bigint[])
      as given(timeline, id)
    order by timeline on conflict (account_id, timeline) do update set
      last_read_id = excluded.last_read_id, version = markers.version + 1, updated_at = excluded.updated_at
    returning timeline, last_read_id, version, updated_at`)
}

/** True for the PostgreSQL error `lock_not_available`: a write waited longer than WAIT. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03'
