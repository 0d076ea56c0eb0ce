/** Has erased what suspended people of other servers wrote: of blocked servers after a day, of others after thirty. */
import { eraseAuthor } from '@murmuration/contracts/statuses'
import { inSteps } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { BLOCKED_MS, nextLook } from '../domain/suspension.js'
import { tick } from '../doors.js'
import { dueSuspended, endLifted, noteSuspended, putNextLooks } from '../store/suspended-author.js'

/** Authors whose statuses one run begins to erase: the jobs do it a few at a time. */
const MOST = 500

export const eraseSuspended = tick('statuses.erase-suspended', 600_000, async (ctx) => {
  if (!ctx.policy.loaded()) return
  const now = ctx.clock.date()
  const due = new Date(now.getTime() + BLOCKED_MS)
  await inSteps({ size: 1_000, steps: 50 }, (most) => noteSuspended(ctx.db, { now, due, most }))
  await ctx.db.tx(async (tx) => {
    await endLifted(tx, now)
    const looks = (await dueSuspended(tx, now, MOST)).map((one) => {
      const next = nextLook(
        one.since,
        ctx.policy.domainRule(normaliseDomain(one.domain) ?? one.domain)?.severity === 'suspend',
        now,
      )
      return { author: one.author_id, at: next === 'erase' ? null : next }
    })
    await putNextLooks(tx, looks)
    const ending = looks.filter((one) => one.at === null)
    await ctx.queue(tx, eraseAuthor, ...ending.map(({ author }) => ({ author, suspended: true })))
  })
})
