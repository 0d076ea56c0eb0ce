/** Ticks that queue failed copies again, and delete old and refused ones. */
import { attachmentInvalidation, clearDomainJob, fetchRemoteJob } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { deleteFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { copies } from '../core/metrics.js'
import { type Due, isFileDue, takeDue } from '../core/remote-file/copy.store.js'
import { REQUEUE_AFTER_MS, waitingSince } from '../core/remote-file/retry.rules.js'
import { tick } from '../handlers.js'
import { domainsWithCopies } from './domain-copy.store.js'
import { deleteHosts } from './host-pause.store.js'
import { isRefused } from './media-policy.rules.js'
import { removeOldCopies } from './old-copy.store.js'

const PAGE = 500
/** Maximum number of pages of domains that one run reads, and of refused domains that it queues. */
const MAX_PAGES = 400
const MAX_REFUSED = 2_000

const clear = async (ctx: Context, what: Due['what']): Promise<number> => {
  let after = ''
  let refused = 0
  await inSteps({ size: PAGE, steps: MAX_PAGES }, async (limit) => {
    const domains = await domainsWithCopies(ctx.db, what, after, limit)
    after = domains.at(-1) ?? after
    const fresh = domains.filter((domain) => isRefused(ctx, domain))
    // The bus drops a job whose id is queued already.
    await ctx.queues.push(
      clearDomainJob,
      ...fresh.map((domain) => ({
        id: `refused-${what}-${domain}`,
        data: { domain, exact: true, whileRefused: true, what, after: '0' },
      })),
    )
    refused += fresh.length
    return refused < MAX_REFUSED ? domains.length : 0
  })
  return refused
}

/**
 * Deletes copies of files of servers that are blocked or not allowed. That includes copies that were stored while staff
 * changed the policy. Each run is limited, and the next one continues.
 */
export const clearRefused = tick('media.clear-refused', 600_000, async (ctx) => {
  if (!ctx.policy.loaded()) return
  const [attachment, picture] = await Promise.all([clear(ctx, 'attachment'), clear(ctx, 'picture')])
  if (attachment + picture > 0) ctx.log.info({ attachment, picture }, 'copies of refused servers are deleted')
})

const DAY_MS = 86_400_000

/** Deletes copies of remote attachments after the retention period. The next view fetches such a file again. */
export const deleteCopies = tick('media.forget-copies', 600_000, async (ctx) => {
  const days = ctx.policy.loaded() ? ctx.policy.settings().media_cache_retention_period : null
  if (days === null) return
  const now = ctx.clock.date()
  await inSteps({ size: 200, steps: 50 }, async (limit) => {
    const gone = await ctx.db.tx(async (tx) => {
      const rows = await removeOldCopies(tx, new Date(now.getTime() - days * DAY_MS), limit)
      const keys = rows.flatMap((row) => row.keys.filter((key) => key !== null))
      await insertUnusedFiles(tx, keys, now)
      return { ids: rows.map((row) => row.id), keys }
    })
    await deleteFiles(ctx, gone.keys)
    ctx.invalidations.send(attachmentInvalidation, gone.ids)
    return gone.ids.length
  })
})

const EVERY_MS = 10_000
const MAX_FILES = 200
const WINDOW = 2_000
const WINDOWS = 5
/**
 * Files per registered domain and run: the limit of background requests to a host per minute (200), divided by the runs
 * per minute.
 */
const PER_HOST = 33
/** Milliseconds (a day) from the end of a host's pause until its row is deleted. */
const FORGOTTEN_MS = 86_400_000
const MAX_HOSTS = 1_000

const giveOut = async (ctx: Context, what: Due['what'], now: number): Promise<void> => {
  if (!(await isFileDue(ctx.db, what, new Date(now)))) return
  await inSteps({ size: WINDOW, steps: WINDOWS }, async (window) => {
    const due = await ctx.db.tx(async (tx) => {
      const all = await takeDue(tx, what, {
        now: new Date(now),
        again: new Date(now + REQUEUE_AFTER_MS),
        waitingSince: new Date(waitingSince(now)),
        perHost: PER_HOST,
        slotMs: EVERY_MS,
        window,
        limit: MAX_FILES,
      })
      await ctx.queue(tx, fetchRemoteJob, ...all.filter((one) => one.taken).map(({ id }) => ({ what, id })))
      return all
    })
    const givenUp = due.filter((one) => one.givenUp).map(({ id }) => id)
    if (givenUp.length > 0) {
      copies.inc({ what, outcome: 'gave-up' }, givenUp.length)
      ctx.log.info(
        { what, ids: givenUp },
        'files of other servers that waited too long are given up until a client requests them',
      )
    }
    return due.length > 0 ? window : 0
  })
}

/** Queues files again whose next try is due, alternating between domains. */
export const retryRemote = tick('media.retry-remote', EVERY_MS, async (ctx) => {
  const now = ctx.clock.now()
  await Promise.all([
    giveOut(ctx, 'attachment', now),
    giveOut(ctx, 'picture', now),
    deleteHosts(ctx.db, new Date(now - FORGOTTEN_MS), MAX_HOSTS),
  ])
})
