/**
 * Decides which hour is in the key of the group that a new notification joins.
 *
 * | Newest group of the recipient and prefix | Hour |
 * |---|---|
 * | started less than SPAN hours ago | its hour: the notification joins the group |
 * | older, or none | the given hour: a new group |
 */
import { limits } from '@murmuration/contracts/limits'
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

/** Hours for which a group of notifications accepts new ones. */
const SPAN = limits.delivery.notificationGroupSeconds / 3600

interface Row {
  recipient_id: string
  /** Hour of the group, in hours since 1970. */
  hour: number
}

/**
 * Returns the hour of the group for each recipient. `hour`: hour of the activity, in hours since 1970. The row is
 * written only for the first notification of a group, so that transactions of later notifications do not wait for its
 * lock.
 */
export const groupHours = async (
  tx: Tx,
  recipients: readonly string[],
  prefix: string,
  hour: number,
): Promise<Map<string, number>> => {
  const open = await tx.rows<Row>(sql`select recipient_id, hour from group_hours
    where recipient_id = any(${bigints(recipients)}) and prefix = ${prefix} and hour > ${hour - SPAN}::int`)
  const hours = new Map(open.map((row) => [row.recipient_id, row.hour]))
  const rest = recipients.filter((one) => !hours.has(one))
  if (rest.length === 0) return hours
  const made = await tx.rows<Row>(sql`insert into group_hours (recipient_id, prefix, hour)
    select recipient, ${prefix}, ${hour}::int from unnest(${rest}::bigint[]) as given(recipient)
    order by recipient on conflict (recipient_id, prefix) do update set
      hour = case when excluded.hour < group_hours.hour + ${SPAN}::int then group_hours.hour else excluded.hour end
    returning recipient_id, hour`)
  for (const row of made) hours.set(row.recipient_id, row.hour)
  return hours
}

/** Deletes at most `limit` rows of groups that no notification can join any longer. Returns the number of deleted rows. */
export const eraseGroupHours = (db: Reader, hour: number, limit: number): Promise<number> =>
  db.run(sql`delete from group_hours where (recipient_id, prefix) in (
    select recipient_id, prefix from group_hours where hour < ${hour - 2 * SPAN}::int limit ${limit})`)
