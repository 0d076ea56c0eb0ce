/** Which group a new notification joins: the hour that names the newest group of its kind, at most 12 h back. */
import { limits } from '@murmuration/contracts/limits'
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

const SPAN = limits.delivery.notificationGroupSeconds / 3600

interface Row {
  recipient_id: string
  hour: number
}

/** The hour for each recipient. Only the first of a group writes, so that many at once do not wait for each other. */
export const groupHours = async (
  tx: Tx,
  recipients: readonly string[],
  prefix: string,
  hour: number,
): Promise<Map<string, number>> => {
  const open = await tx.rows<Row>(sql`select recipient_id, hour from group_hours
    where recipient_id = any(${bigints(recipients)}) and prefix = ${prefix} and hour > ${hour - SPAN}::int`)
  const hours = new Map(open.map((row) => [row.recipient_id, row.hour]))
  const rest = recipients.filter((one) => !hours.has(one)).sort()
  if (rest.length === 0) return hours
  const made = await tx.rows<Row>(sql`insert into group_hours (recipient_id, prefix, hour)
    select recipient, ${prefix}, ${hour}::int from unnest(${rest}::bigint[]) as given(recipient)
    on conflict (recipient_id, prefix) do update set
      hour = case when excluded.hour < group_hours.hour + ${SPAN}::int then group_hours.hour else excluded.hour end
    returning recipient_id, hour`)
  for (const row of made) hours.set(row.recipient_id, row.hour)
  return hours
}

/** Erases hours that nothing can join any more. Returns how many. */
export const eraseGroupHours = (db: Reader, hour: number, most: number): Promise<number> =>
  db.run(sql`delete from group_hours where (recipient_id, prefix) in (
    select recipient_id, prefix from group_hours where hour < ${hour - 2 * SPAN}::int limit ${most})`)
