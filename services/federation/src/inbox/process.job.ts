/** Processes received activities: checks the sender again, calls the handler of the type, and stores the outcome. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { processActivity } from '@murmuration/contracts/federation'
import { Failure, isRetryable } from '@murmuration/contracts/kit'
import type { JobMeta } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { held, processed } from '../core/metrics.js'
import { work } from '../handlers.js'
import { perform } from './activities/dispatch.js'
import { type Outcome, refused } from './activities/outcome.js'
import { holdActivities } from './held.store.js'
import { closeEntries, inboxEntries, type OpenEntry } from './inbox.store.js'
import { transition } from './state.rules.js'
import { siteOf, type WorkerSlot } from './worker-slots.js'

/**
 * Processing time from which an activity is slow. A slow activity mostly waits for another server, so its job frees its
 * slot on the bus (NATS).
 */
const SLOW_MS = 2_000
/** Delay after which an activity that got no worker slot is queued again. */
const HELD_SECONDS = 5

/** An activity whose processing has begun, with its worker slot. */
interface Begun {
  readonly entry: OpenEntry
  readonly slot: WorkerSlot
}

const close = async (ctx: Context, entry: OpenEntry, outcome: Outcome): Promise<void> => {
  const { id, kept } = entry
  const { notify, ...how } = outcome
  if (notify === undefined) await ctx.intake.close({ id, kept, ...how })
  else
    await ctx.db.tx(async (tx) => {
      const [isClosed] = await closeEntries(tx, [{ id, kept, ...how }])
      if (isClosed) await notify(tx)
    })
  processed.inc({ type: entry.type, outcome: outcome.outcome, reason: outcome.reason ?? '' })
  if (outcome.outcome !== 'refused') return
  const { actor, type } = entry
  ctx.refusals.log({ host: hostOf(actor), reason: outcome.reason, type, actor })
}

/**
 * Stores activities in `held_activities` until they are queued again. The job is acknowledged only after this, so that
 * no activity is lost.
 */
const hold = async (
  ctx: Context,
  entries: readonly OpenEntry[],
  { tries, seconds }: { tries: number; seconds: number },
): Promise<void> => {
  const items = entries.map(({ id, actor }) => ({ id, site: siteOf(actor), tries }))
  await holdActivities(ctx.db, items, seconds)
  held.inc(items.length)
}

/**
 * After `SLOW_MS`, frees the bus slot of the job if an overflow slot is available. Returns a function that cancels the
 * timer and releases the overflow slot.
 */
const freeWhenSlow = (ctx: Context, begun: readonly Begun[], free: JobMeta['free']): (() => void) => {
  let release: (() => void) | null = null
  const timer = setTimeout(() => {
    for (const { slot } of begun) slot.markSlow()
    release = ctx.workerSlots.takeOverflow()
    if (release) free?.()
  }, SLOW_MS)
  return () => {
    clearTimeout(timer)
    release?.()
  }
}

const { delays, times } = processActivity.retry

export const process = work(processActivity, async (ctx, { ids, id, again, tried = 0 }, { tries, free }) => {
  await ctx.intake.waitForIdle()
  const open = await inboxEntries(ctx.db, id === undefined ? ids : [id])
  const before = Math.max(tried + tries - 1, again ? 1 : 0)
  const isLast = tried + tries >= times
  const delaySeconds = delays[Math.min(before, delays.length - 1)] ?? 0
  const onFailure = (error: unknown) =>
    transition('failure', {
      isLast,
      delaySeconds,
      isRetryable: isRetryable(error),
      isNamed: error instanceof Failure,
    })
  const one = async ({ entry, slot }: Begun): Promise<void> => {
    try {
      const outcome = await perform(ctx, entry, before > 0).catch((error) => {
        if (onFailure(error) !== 'close') throw error
        ctx.refusals.count('worker', 'gave-up', hostOf(entry.actor))
        return refused('gave-up')
      })
      await close(ctx, entry, outcome)
    } finally {
      slot.release()
    }
  }
  const taken = open.map((entry) => ({ entry, slot: ctx.workerSlots.take(entry.actor) }))
  const begun = taken.filter((it): it is Begun => it.slot !== null)
  const waiting = taken.flatMap(({ entry, slot }) => (slot === null ? [entry] : []))
  const endFree = freeWhenSlow(ctx, begun, free)
  const [holding, ...results] = await Promise.allSettled([
    hold(ctx, waiting, { tries: before, seconds: HELD_SECONDS }),
    ...begun.map(one),
  ])
  endFree()
  if (holding.status === 'rejected') throw holding.reason
  const failed = begun.flatMap(({ entry }, i) => {
    const result = results[i]
    return result?.status === 'rejected' ? [{ entry, error: result.reason }] : []
  })
  const { later = [], soon = [] } = Object.groupBy(failed, ({ error }) =>
    onFailure(error) === 'hold' ? 'later' : 'soon',
  )
  const entries = later.map(({ entry }) => entry)
  await hold(ctx, entries, { tries: before + 1, seconds: delaySeconds })
  const [only] = soon
  if (open.length === 1 && only) throw only.error
  // Each failed activity gets a job of its own, so that a dead letter contains one activity.
  if (soon.length)
    await ctx.db.tx((tx) =>
      ctx.queue(tx, processActivity, ...soon.map(({ entry }) => ({ ids: [entry.id], again: true }))),
    )
})
