/**
 * Fetches a file once for all rows, requests and processes that need it at the same time. Every further row gets a copy
 * of the fetched file.
 */
import { fail, isRetryable, notFound } from '@murmuration/contracts/kit'
import type { Release } from '@murmuration/flow'
import type { Context } from '../context.js'
import { Deferred, retryAfterLocalFailure } from '../core/remote-file/retry.rules.js'
import { isAllowed, type RemoteFile } from './remote-file.js'
import { requestHost } from './request-host.js'

/** Shared result of a fetch: the id of the row that has a copy, or `gone` if no copy can be made. */
export type Found = { id: string } | { gone: true }

/** Milliseconds (10 minutes) for which later fetches of the same file use the result. */
const KEPT_MS = 600_000
/** Milliseconds (one minute) for which a missing file is not requested again. */
const GONE_MS = 60_000
const keepMsOf = (found: Found): number => ('id' in found ? KEPT_MS : GONE_MS)

/**
 * Takes a slot for videos and sounds when the file is known to be a video or sound. Without a free slot, the file is
 * postponed. Background fetches may use half of the slots.
 */
const slotFor = (ctx: Context, { row }: RemoteFile, background: boolean) => {
  const { filmSlots } = ctx.foreign
  let leave: Release | null = null
  return {
    take(): void {
      leave ??= background && filmSlots.running >= filmSlots.concurrency / 2 ? null : filmSlots.tryEnter()
      if (leave !== null) return
      const now = ctx.clock.now()
      throw new Deferred(retryAfterLocalFailure(now - row.created_at.getTime(), now, Math.random()))
    },
    leave: () => leave?.(),
  }
}

/**
 * Makes the local copy of a remote file, as its row describes it. Rejects with `not_found` if no copy can be made, else
 * with the errors of `requestHost`. `onFetched` is called if this call downloads the file.
 */
export const fetchOnce = async (
  ctx: Context,
  file: RemoteFile,
  background: boolean,
  onFetched: () => void,
): Promise<void> => {
  let isOwnFetch = false
  const request = async (): Promise<Found> => {
    isOwnFetch = true
    const slot = slotFor(ctx, file, background)
    try {
      // The slot is taken first. So a file without a free slot uses up neither the limit of its host nor a work
      // directory.
      if (file.isFilm) slot.take()
      const how = { behind: background, takeSlot: slot.take, onFetched }
      await requestHost(ctx, file.host, () => ctx.workDirectories.use((dir) => file.copy({ dir, ...how })))
      return { id: file.row.id }
    } catch (error) {
      // If the policy refuses the file for this row, the result `gone` is not shared, because the policy may permit the
      // same file for another row.
      if (isRetryable(error) || !isAllowed(ctx, file.row)) throw error
      return { gone: true }
    } finally {
      slot.leave()
    }
  }
  /**
   * Fetches the file, or takes over the copy of another row with the same file. Returns false if that copy no longer
   * exists.
   */
  const attempt = async (fresh: boolean): Promise<boolean> => {
    const found = await ctx.flight.run(file.name, request, keepMsOf, fresh)
    if ('gone' in found) throw notFound()
    if (found.id === file.row.id) return isOwnFetch
    return file.takeOver(found.id)
  }
  /**
   * If another process fetched the file in the background and postponed it, a foreground fetch tries again, because its
   * limits are higher.
   */
  const first = () =>
    attempt(false).catch((error: unknown) => {
      if (background || isOwnFetch || !(error instanceof Deferred)) throw error
      return attempt(false)
    })
  if ((await first()) || (await attempt(true))) return
  throw fail('unavailable', 'The copy of another row is missing', { retryAfter: 60 })
}
