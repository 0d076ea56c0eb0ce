/** Works on activities that came in: who sent each stands, then whatever its type means here. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { processActivity } from '@murmuration/contracts/federation'
import { isRetryable } from '@murmuration/contracts/kit'
import type { JobMeta } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { held, processed } from '../core/figures.js'
import { work } from '../doors.js'
import { perform } from './activities/dispatch.js'
import { gaveUp, type Outcome } from './activities/outcome.js'
import { type Hand, siteOf } from './hands.js'
import { holdActivities } from './held.store.js'
import { closeEntries, inboxEntries, type OpenEntry } from './inbox.store.js'

/** What takes longer waits for other servers, mostly: its job gives its hand to others. */
const MOMENT_MS = 2_000
/** What cannot be begun because its site has slow ones in work comes again after that. */
const HELD_SECONDS = 5
/** What is tried again later than that does not wait on the bus, which hands out only so many messages that are not done. */
const SOON_SECONDS = 5

/** One whose work was begun. */
interface Begun {
  readonly entry: OpenEntry
  readonly hand: Hand
}

const close = async (ctx: Context, entry: OpenEntry, outcome: Outcome): Promise<void> => {
  const { id, kept } = entry
  const { tell, ...how } = outcome
  if (tell === undefined) await ctx.intake.close({ id, kept, ...how })
  else
    await ctx.db.tx(async (tx) => {
      const [isOurs] = await closeEntries(tx, [{ id, kept, ...how }])
      if (isOurs) await tell(tx)
    })
  processed.inc({ type: entry.type, outcome: outcome.outcome, reason: outcome.reason ?? '' })
  if (outcome.outcome !== 'refused') return
  const { actor, type } = entry
  ctx.refusals.tell({ host: hostOf(actor), reason: outcome.reason, type, actor })
}

/** Puts those back that are worked on later; until they are written down, the job is theirs. */
const hold = async (
  ctx: Context,
  entries: readonly OpenEntry[],
  { tries, seconds }: { tries: number; seconds: number },
): Promise<void> => {
  const items = entries.map(({ id, actor }) => ({ id, site: siteOf(actor), tries }))
  await holdActivities(ctx.db, items, seconds)
  held.inc(items.length)
}

/** After a moment the hand that holds a job is given to others, while there is a place for what goes on. Returns how to end that. */
const lendHand = (ctx: Context, begun: readonly Begun[], free: JobMeta['free']): (() => void) => {
  let giveBack: (() => void) | null = null
  const timer = setTimeout(() => {
    for (const { hand } of begun) hand.linger()
    giveBack = ctx.hands.setAside()
    if (giveBack) free?.()
  }, MOMENT_MS)
  return () => {
    clearTimeout(timer)
    giveBack?.()
  }
}

/** One whose work failed. */
interface Failed {
  readonly entry: OpenEntry
  readonly error: unknown
}

const { delays, times } = processActivity.retry

/** Puts back what is tried again later, and gives the rest. */
const holdLater = async (ctx: Context, failed: readonly Failed[], before: number): Promise<readonly Failed[]> => {
  const seconds = delays[Math.min(before, delays.length - 1)] ?? 0
  if (seconds <= SOON_SECONDS) return failed
  const { later = [], rest = [] } = Object.groupBy(failed, ({ error }) => (isRetryable(error) ? 'later' : 'rest'))
  const entries = later.map(({ entry }) => entry)
  await hold(ctx, entries, { tries: before + 1, seconds })
  return rest
}

export const process = work(processActivity, async (ctx, { ids, id, again, tried = 0 }, { tries, free }) => {
  await ctx.intake.calm()
  const open = await inboxEntries(ctx.db, id === undefined ? ids : [id])
  const before = Math.max(tried + tries - 1, again ? 1 : 0)
  const isLast = tried + tries >= times
  const one = async ({ entry, hand }: Begun): Promise<void> => {
    try {
      const outcome = await perform(ctx, entry, before > 0).catch((error) => {
        // Repeating helps against what passes; on the last try the activity is let go, so that it does not stay for ever.
        if (!isLast) throw error
        return gaveUp(error)
      })
      await close(ctx, entry, outcome)
    } finally {
      hand.end()
    }
  }
  const taken = open.map((entry) => ({ entry, hand: ctx.hands.take(entry.actor) }))
  const begun = taken.filter((it): it is Begun => it.hand !== null)
  const waiting = taken.flatMap(({ entry, hand }) => (hand === null ? [entry] : []))
  const sendUndo = lendHand(ctx, begun, free)
  const [holding, ...results] = await Promise.allSettled([
    hold(ctx, waiting, { tries: before, seconds: HELD_SECONDS }),
    ...begun.map(one),
  ])
  sendUndo()
  if (holding.status === 'rejected') throw holding.reason
  const failed = begun.flatMap(({ entry }, i) => {
    const result = results[i]
    return result?.status === 'rejected' ? [{ entry, error: result.reason }] : []
  })
  const soon = isLast ? failed : await holdLater(ctx, failed, before)
  const [only] = soon
  if (open.length === 1 && only) throw only.error
  // Each of them has its own tries from here on, and is buried alone if it must be.
  if (soon.length)
    await ctx.db.tx((tx) =>
      ctx.queue(tx, processActivity, ...soon.map(({ entry }) => ({ ids: [entry.id], again: true }))),
    )
})
