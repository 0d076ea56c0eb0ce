/** Queues activities again that waited for a hand or for another try; of each site some at a time. */
import { processActivity } from '@murmuration/contracts/federation'
import { tick } from '../doors.js'
import { jobsOf } from '../intake.js'
import { isAnyHeld, takeDueActivities } from '../store/held.js'

const OF_SITE = 500
const MOST = 2_000

export const releaseActivities = tick('federation.release-activities', 2_000, async (ctx) => {
  if (!(await isAnyHeld(ctx.db))) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDueActivities(tx, { ofSite: OF_SITE, most: MOST })
    const alike = Map.groupBy(due, ({ site, tries }) => `${tries} ${site}`)
    const jobs = [...alike.values()].flatMap((some) =>
      jobsOf(some.map(({ id }) => id)).map((job) => ({ ...job, tried: some[0]?.tries ?? 0 })),
    )
    await ctx.queue(tx, processActivity, ...jobs)
  })
})
