/** One request for one file, however many rows, people and processes want it at once: the others take over the copy. */
import { fail, isRetryable, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { afterOwnTrouble, LeftAlone } from '../core/patience.rules.js'
import { askHost } from './ask-host.js'
import { isAllowed, type RemoteFile } from './remote-file.js'

/** Cached result of a fetch: the row that has a copy, or that no copy can be made. */
export type Found = { id: string } | { gone: true }

/** Later fetches of the same file take over the copy for this long. */
const KEPT_MS = 600_000
/** Later fetches of a file that is gone are answered without a request for this long. */
const GONE_MS = 60_000
const keepMsOf = (found: Found): number => ('id' in found ? KEPT_MS : GONE_MS)

/** A place in the line of films, from when it is known that the file is one; what finds none comes again later. */
const inLine = (ctx: Context, { row }: RemoteFile, behind: boolean) => {
  let leave: (() => void) | null = null
  return {
    stand(): void {
      leave ??= ctx.foreign.line.enter(behind)
      if (leave !== null) return
      const now = ctx.clock.now()
      throw new LeftAlone(afterOwnTrouble(now - row.created_at.getTime(), now, Math.random()))
    },
    leave: () => leave?.(),
  }
}

/** Makes the copy of this row. Rejects with `not_found` when none can be made, else as `askHost` does. */
export const fetchOnce = async (ctx: Context, file: RemoteFile, behind: boolean): Promise<void> => {
  let mine = false
  const ask = async (): Promise<Found> => {
    mine = true
    const line = inLine(ctx, file, behind)
    try {
      // A film that finds no place in the queue uses up neither the host's quota nor a work directory.
      if (file.isFilm) line.stand()
      const how = { behind, standInLine: line.stand }
      await askHost(ctx, file.host, () => ctx.benches.use((dir) => file.copy({ dir, ...how })))
      return { id: file.row.id }
    } catch (error) {
      // A file that the policy refuses for this row may be allowed for another row.
      if (isRetryable(error) || !isAllowed(ctx, file.row)) throw error
      return { gone: true }
    } finally {
      line.leave()
    }
  }
  /** False when the copy that was found is not there any more. */
  const attempt = async (fresh: boolean): Promise<boolean> => {
    const found = await ctx.flight.run(file.name, ask, keepMsOf, fresh)
    if ('gone' in found) throw notFound()
    if (found.id === file.row.id) return mine
    return file.takeOver(found.id)
  }
  /** Repeats a deferred background fetch, because a foreground fetch may be allowed. */
  const first = () =>
    attempt(false).catch((error: unknown) => {
      if (behind || mine || !(error instanceof LeftAlone)) throw error
      return attempt(false)
    })
  if ((await first()) || (await attempt(true))) return
  throw fail('unavailable', 'The copy of another row is gone', { retryAfter: 60 })
}
