/** Fetches a file once for all rows, requests and processes that need it at the same time. The others copy the result. */
import { fail, isRetryable, notFound } from '@murmuration/contracts/kit'
import type { Release } from '@murmuration/flow'
import type { Context } from '../context.js'
import { afterOwnTrouble, Deferred } from '../core/retry.rules.js'
import { askHost } from './ask-host.js'
import { isAllowed, type RemoteFile } from './remote-file.js'

/** Cached result of a fetch: the id of a row with a copy, or that no copy can be made. */
export type Found = { id: string } | { gone: true }

/** Time in milliseconds (10 minutes) in which later fetches of the same file copy the result. */
const KEPT_MS = 600_000
/** Time in milliseconds (one minute) in which a file that does not exist is not requested again. */
const GONE_MS = 60_000
const keepMsOf = (found: Found): number => ('id' in found ? KEPT_MS : GONE_MS)

/**
 * Takes a slot of the limit of videos and sounds, once the file is known to be one. Without a free slot, the file is
 * deferred. Background fetches use half of the slots.
 */
const slotFor = (ctx: Context, { row }: RemoteFile, background: boolean) => {
  const { filmSlots } = ctx.foreign
  let leave: Release | null = null
  return {
    take(): void {
      leave ??= background && filmSlots.running >= filmSlots.concurrency / 2 ? null : filmSlots.tryEnter()
      if (leave !== null) return
      const now = ctx.clock.now()
      throw new Deferred(afterOwnTrouble(now - row.created_at.getTime(), now, Math.random()))
    },
    leave: () => leave?.(),
  }
}

/** Makes the copy of this row. Rejects with `not_found` if none can be made, else like `askHost`. */
export const fetchOnce = async (ctx: Context, file: RemoteFile, background: boolean): Promise<void> => {
  let isOwnFetch = false
  const ask = async (): Promise<Found> => {
    isOwnFetch = true
    const slot = slotFor(ctx, file, background)
    try {
      // A file without a free place uses up neither the host's limit nor a work directory.
      if (file.isFilm) slot.take()
      const how = { behind: background, takeSlot: slot.take }
      await askHost(ctx, file.host, () => ctx.workDirectories.use((dir) => file.copy({ dir, ...how })))
      return { id: file.row.id }
    } catch (error) {
      // A file that the policy refuses for this row may be allowed for another one.
      if (isRetryable(error) || !isAllowed(ctx, file.row)) throw error
      return { gone: true }
    } finally {
      slot.leave()
    }
  }
  /** Returns false if the copy of the other row no longer exists. */
  const attempt = async (fresh: boolean): Promise<boolean> => {
    const found = await ctx.flight.run(file.name, ask, keepMsOf, fresh)
    if ('gone' in found) throw notFound()
    if (found.id === file.row.id) return isOwnFetch
    return file.takeOver(found.id)
  }
  /** Runs the fetch again if a background process deferred it, because the limits of a foreground fetch are higher. */
  const first = () =>
    attempt(false).catch((error: unknown) => {
      if (background || isOwnFetch || !(error instanceof Deferred)) throw error
      return attempt(false)
    })
  if ((await first()) || (await attempt(true))) return
  throw fail('unavailable', 'The copy of another row is gone', { retryAfter: 60 })
}
