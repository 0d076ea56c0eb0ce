/** One request for one file, however many rows, people and processes want it at once: the others take over the copy. */
import { fail, isRetryable, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { afterOwnTrouble, LeftAlone } from '../core/patience.rules.js'
import { askHost } from './ask-host.js'
import { isAllowed, type RemoteFile } from './remote-file.js'

/** What is known of a file for a while: the row that has a copy, or that there is none to be had. */
export type Found = { id: string } | { gone: true }

/** Who wants the same file a little later takes over the copy. */
const KEPT_MS = 600_000
/** Who wants what is not there is told so. */
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
      // Whoever is to wait for long takes up neither the host's patience nor a bench.
      if (file.isFilm) line.stand()
      const how = { behind, standInLine: line.stand }
      await askHost(ctx, file.host, () => ctx.benches.use((dir) => file.copy({ dir, ...how })))
      return { id: file.row.id }
    } catch (error) {
      // What staff does not let in of one may be let in of another.
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
  /** What may not be asked for behind may be asked for by those who wait for it. */
  const first = () =>
    attempt(false).catch((error: unknown) => {
      if (behind || mine || !(error instanceof LeftAlone)) throw error
      return attempt(false)
    })
  if ((await first()) || (await attempt(true))) return
  throw fail('unavailable', 'The copy of another row is gone', { retryAfter: 60 })
}
