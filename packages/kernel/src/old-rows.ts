/** Deletes old rows of the kernel's tables in small steps that block no other work. */
import { type Database, type Sql, sql } from '@murmuration/db'
import { inSteps } from './steps.js'

const STEP = 5_000
/** Maximum steps of one run for each kind of row, many times what a busy service writes in a minute. */
const MAX_STEPS = 60

const OLD: readonly Sql[] = [
  // The reconciler has found a record of each reaction to the event, so the row is no longer needed.
  sql`delete from outbox where id in (select id from outbox
    where created_at < now() - interval '1 hour' and reconciled_at is not null order by created_at limit ${STEP})`,
  sql`delete from outbox where id in (select id from outbox
    where created_at < now() - interval '7 days' and sent_at is not null order by created_at limit ${STEP})`,
  // The outbox may publish an event again for seven days, so records of processed events are stored for eight days.
  sql`delete from consumed where (consumer, event_id) in (select consumer, event_id from consumed
    where at < now() - interval '8 days' order by at limit ${STEP})`,
  sql`delete from reported_deliveries where (consumer, message) in (select consumer, message from reported_deliveries
    where at < now() - interval '8 days' order by at limit ${STEP})`,
  sql`delete from commands where key in (select key from commands
    where at < now() - interval '1 day' order by at limit ${STEP})`,
  sql`delete from tasks where id in (select id from tasks
    where finished_at < now() - interval '90 days' order by finished_at limit ${STEP})`,
]

/**
 * Query that returns a row if any table has a row that is old enough to be deleted. It is a separate statement, because
 * it may be slow.
 */
const ANY_OLD = sql`select 1 from outbox where created_at < now() - interval '1 hour' and reconciled_at is not null
  union all select 1 from outbox where created_at < now() - interval '7 days' and sent_at is not null
  union all select 1 from consumed where at < now() - interval '8 days'
  union all select 1 from reported_deliveries where at < now() - interval '8 days'
  union all select 1 from commands where at < now() - interval '1 day'
  union all select 1 from tasks where finished_at < now() - interval '90 days' limit 1`

/** Deletes old rows. Returns the number of deleted rows. */
export const deleteOldRows = async (db: Database): Promise<number> => {
  if (!(await db.row(ANY_OLD))) return 0
  const gone = await Promise.all(OLD.map((rows) => inSteps({ size: STEP, steps: MAX_STEPS }, () => db.run(rows))))
  return gone.reduce((sum, one) => sum + one, 0)
}
