/** Ticks of the inbox: release held activities, and delete old activities. */

import { processActivity } from '@murmuration/contracts/federation'
import { inSteps } from '@murmuration/kernel'
import { tick } from '../handlers.js'
import { isAnyHeld, takeDueActivities } from './held.store.js'
import { deleteActivities } from './inbox.store.js'
import { jobsOf } from './intake.js'
import { deleteOldTimestamps } from './last-writer.store.js'
import { deleteRefusals } from './refusal.store.js'

/** Deletes activities and timestamps older than a week, and counts of refusals older than a month. */
export const deleteOldActivities = tick('federation.forget-activities', 60_000, async (ctx) => {
  await inSteps({ size: 5_000, steps: 20 }, (limit) => deleteActivities(ctx.db, limit))
  await inSteps({ size: 5_000, steps: 20 }, (limit) => deleteOldTimestamps(ctx.db, limit))
  await deleteRefusals(ctx.db)
})

/** Maximum number of released activities per run: of one site, and of all sites. */
const OF_SITE = 500
const MAX_ACTIVITIES = 2_000

/** Queues held activities again, a limited number for each site. */
export const releaseActivities = tick('federation.release-activities', 5_000, async (ctx) => {
  if (!(await isAnyHeld(ctx.db))) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDueActivities(tx, { ofSite: OF_SITE, limit: MAX_ACTIVITIES })
    const alike = Map.groupBy(due, ({ site, tries }) => `${tries} ${site}`)
    const jobs = [...alike.values()].flatMap((some) =>
      jobsOf(some.map(({ id }) => id)).map((job) => ({ ...job, tried: some[0]?.tries ?? 0 })),
    )
    await ctx.queue(tx, processActivity, ...jobs)
  })
})
