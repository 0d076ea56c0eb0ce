/** Tick that indexes the names of accounts that are older than the index, newest first. */

import { inSteps } from '@murmuration/kernel'
import { isAnyUnnamed, markUnnamed, namesOf, nextUnnamed, putNames } from '../core/account/name.store.js'
import { tick } from '../handlers.js'

const OLDER = { size: 2_000, steps: 5 }
/** Duration of a run in milliseconds (5 seconds) after which no further step begins. The tick runs every 10 seconds. */
const WORK_MS = 5_000

export const indexNames = tick('accounts.index-names', 10_000, async (ctx) => {
  if (!(await isAnyUnnamed(ctx.db, ctx.clock.date()))) return
  const endsAt = performance.now() + WORK_MS
  await inSteps(OLDER, (limit) =>
    ctx.db.tx(async (tx) => {
      const due = performance.now() > endsAt ? null : await nextUnnamed(tx, ctx.clock.date(), limit)
      if (due === null) return 0
      await putNames(tx, await namesOf(tx, due.ids))
      await markUnnamed(tx, due.backlog, due.ids.length < limit ? null : (due.ids.at(-1) ?? null))
      return due.ids.length
    }),
  )
})
