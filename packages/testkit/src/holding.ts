/** Holds locks in a test, so that what needs them happens in the order in which it came. */
import { type Database, type Sql, sql } from '@murmuration/db'

/** Has the locks until they are let go; resolves `queued` once so many questions wait for some lock. */
export const holding = async (db: Pick<Database, 'rows' | 'tx'>, locks: Sql) => {
  const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const held = db.tx(async (tx) => {
    await tx.run(locks)
    begin()
    await over
  })
  await begun
  const waiting = async (): Promise<number> => {
    const rows = await db.rows(sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length
  }
  return {
    async queued(many: number): Promise<void> {
      while ((await waiting()) < many) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    async letGo(): Promise<void> {
      letGo()
      await held
    },
  }
}
