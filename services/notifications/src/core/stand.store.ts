/** How things stand of which people are told: a change may be heard of before the thing itself. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Members of what is shown, with the event that said so. */
export interface Changed {
  rev: string | null
}

/** True when this is newer than what is known. */
export const keepStand = async (tx: Tx, source: string, changed: Changed): Promise<boolean> =>
  (await tx.run(sql`insert into stands (source, changed) values (${source}, ${JSON.stringify(changed)}::jsonb)
    on conflict (source) do update set changed = excluded.changed, at = excluded.at
      where (stands.changed ->> 'rev')::bigint < (excluded.changed ->> 'rev')::bigint`)) > 0

/** Shows everybody who was told how it stands. */
export const showStand = (tx: Tx, source: string): Promise<number> =>
  tx.run(sql`update notifications n set detail = n.detail || s.changed from stands s
    where s.source = ${source} and n.source = s.source`)

/** Erases what is older than any event that may still be repeated. Returns how many. */
export const eraseStands = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from stands where source in (
    select source from stands where at < now() - interval '8 days' limit ${most})`)
