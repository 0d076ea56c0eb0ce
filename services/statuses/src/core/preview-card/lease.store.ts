/** SQL of leases. A lease allows one worker to store or delete the picture of a preview card. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface Lease {
  names: readonly string[]
  token: string
}

/** Takes the leases with these names that are free or expired. Returns the number of leases that were taken. */
export const takeLeases = (db: Reader, { names, token }: Lease, now: Date, endsAt: Date): Promise<number> =>
  db.run(sql`insert into preview_picture_leases as l (name, token, ends_at)
    select name, ${token}, ${endsAt} from unnest(${names}::text[]) as wanted(name) order by name
    on conflict (name) do update set token = excluded.token, ends_at = excluded.ends_at where l.ends_at < ${now}`)

export const endLeases = (db: Reader, { names, token }: Lease): Promise<number> =>
  db.run(sql`delete from preview_picture_leases where name = any(${names}::text[]) and token = ${token}`)

/**
 * Whether the caller still has all its leases. If the caller has all leases, their rows are locked until the
 * transaction ends.
 */
export const holdLease = async (tx: Tx, { names, token }: Lease): Promise<boolean> => {
  const rows = await tx.rows(sql`select 1 from preview_picture_leases
    where name = any(${names}::text[]) and token = ${token} order by name for update`)
  return rows.length === names.length
}

/** Deletes leases that ended before `before`, which dead workers left. */
export const deleteEndedLeases = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from preview_picture_leases where name in
    (select name from preview_picture_leases where ends_at < ${before} limit ${limit})`)
