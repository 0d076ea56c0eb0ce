/** SQL of pinned statuses. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/**
 * Number of pins of an account. A lock until the transaction ends prevents two requests from both adding the last
 * allowed pin.
 */
export const countPins = async (tx: Tx, account: string): Promise<number> => {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended('pins ' || ${account}::text, 0))`)
  return (await tx.row<{ n: number }>(sql`select count(*)::int as n from pins where account_id = ${account}`))?.n ?? 0
}

/** Stores pins. Returns the number of new ones. */
export const insertPins = (tx: Tx, account: string, pins: readonly { id: string; status: string }[]): Promise<number> =>
  tx.run(sql`insert into pins (id, account_id, status_id)
    select id, ${account}::bigint, status from unnest(${pins.map((one) => one.id)}::bigint[],
      ${pins.map((one) => one.status)}::bigint[]) as given(id, status)
    order by status on conflict (account_id, status_id) do nothing`)

/** Stores a pin. Returns 0 if the status is pinned already. */
export const insertPin = (tx: Tx, id: string, account: string, status: string): Promise<number> =>
  insertPins(tx, account, [{ id, status }])

/** Deletes a pin and returns its id; null if there was none. */
export const deletePin = async (tx: Tx, account: string, status: string): Promise<string | null> =>
  (
    await tx.row<{ id: string }>(
      sql`delete from pins where account_id = ${account} and status_id = ${status} returning id`,
    )
  )?.id ?? null

export const deletePinsOf = (db: Reader, statuses: readonly string[]): Promise<number> =>
  db.run(sql`delete from pins where status_id = any(${statuses}::bigint[])`)

/** Pinned statuses of an account, latest pin first. */
export const pinsOf = async (db: Reader, account: string): Promise<string[]> =>
  (
    await db.rows<{ status_id: string }>(sql`select status_id from pins where account_id = ${account} order by id desc`)
  ).map((row) => row.status_id)

export const unpinAll = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`delete from pins where account_id = ${account}`)

/** Version of the pins of a remote account. It increases with each pin, unpin and fetched list. */
export const pinVersion = async (db: Reader, account: string): Promise<string> =>
  (await db.row<{ version: string }>(sql`select version from pin_versions where account_id = ${account}`))?.version ??
  '0'

export const raisePinVersion = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`insert into pin_versions as v (account_id, version) values (${account}, 1)
    on conflict (account_id) do update set version = v.version + 1`)
