/** Has files of other servers that could not be copied tried again, when their time has come, in turn by hosts. */
import { fetchRemoteJob } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { UNHEARD_MS, waitingSince } from '../domain/patience.js'
import { tick } from '../doors.js'
import { copies } from '../figures.js'
import { type Due, takeDue } from '../store/remote-copy.js'
import { forgetHosts } from '../store/silent-host.js'

const EVERY_MS = 10_000
const MOST = 200
const WINDOW = 2_000
const WINDOWS = 5
/** Of one host: what may be asked of it within a minute when nobody waits (200), by parts of a minute. */
const PER_HOST = 33
/** Hosts that nobody asked for so long after their pause are forgotten. */
const FORGOTTEN_MS = 86_400_000
const MOST_HOSTS = 1_000

const giveOut = (ctx: Context, what: Due['what'], now: number): Promise<number> =>
  inSteps({ size: WINDOW, steps: WINDOWS }, async (window) => {
    const turns = await ctx.db.tx(async (tx) => {
      const all = await takeDue(tx, what, {
        now: new Date(now),
        again: new Date(now + UNHEARD_MS),
        waitingSince: new Date(waitingSince(now)),
        perHost: PER_HOST,
        slotMs: EVERY_MS,
        window,
        most: MOST,
      })
      await ctx.queue(tx, fetchRemoteJob, ...all.filter((one) => one.taken).map(({ id }) => ({ what, id })))
      return all
    })
    const givenUp = turns.filter((one) => one.givenUp).map(({ id }) => id)
    if (givenUp.length > 0) {
      copies.inc({ what, outcome: 'gave-up' }, givenUp.length)
      ctx.log.info(
        { what, ids: givenUp },
        'files of other servers that waited too long are given up until somebody looks',
      )
    }
    return turns.length > 0 ? window : 0
  })

export const retryRemote = tick('media.retry-remote', EVERY_MS, async (ctx) => {
  const now = ctx.clock.now()
  await Promise.all([giveOut(ctx, 'attachment', now), giveOut(ctx, 'picture', now)])
  await forgetHosts(ctx.db, new Date(now - FORGOTTEN_MS), MOST_HOSTS)
})
