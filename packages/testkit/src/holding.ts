/**
 * Acquires database locks in a test. Statements that need the locks wait, and then run in the order of their arrival.
 */
import { type Database, type Sql, sql } from '@murmuration/db'

/** Acquires the locks until `letGo` is called. `queued` resolves when at least `many` statements wait for a lock. */
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
