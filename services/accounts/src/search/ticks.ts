/** Tick that indexes the names of accounts that are older than the index, newest first. */

import { isAnyUnnamed, markUnnamed, namesOf, nextUnnamed, putNames } from '../core/name.store.js'
import { tick } from '../handlers.js'

const BATCH = 2_000

export const indexNames = tick('accounts.index-names', 10_000, async (ctx) => {
  if (!(await isAnyUnnamed(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const due = await nextUnnamed(tx, ctx.clock.date(), BATCH)
    if (due === null) return
    await putNames(tx, await namesOf(tx, due.ids))
    await markUnnamed(tx, due.backlog, due.ids.length < BATCH ? null : (due.ids.at(-1) ?? null))
  })
})
