/** Asks a host for a file when it may be asked now, and notes what that tells of the host. */
import { isTrouble } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { LeftAlone, PROBE_MS } from '../core/patience.rules.js'
import { troubleOf } from './download.client.js'
import { noteTrouble } from './note-trouble.js'
import { forgetHost, standingOf } from './silent-host.store.js'

/** Rejects with `LeftAlone` when the host is left alone, else with what `ask` rejects with. */
export const askHost = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  host: string,
  ask: () => Promise<void>,
): Promise<void> => {
  const now = ctx.clock.now()
  const standing = await standingOf(ctx.db, host, new Date(now), new Date(now + PROBE_MS))
  if (typeof standing === 'object') throw new LeftAlone(standing.pausedUntil.getTime())
  const isProbe = standing === 'probe'
  try {
    await ask()
  } catch (error) {
    // A local failure says nothing of the host, whose pause does not change.
    if (!(error instanceof LeftAlone || isTrouble(error))) await noteTrouble(ctx, host, troubleOf(error), isProbe)
    throw error
  }
  if (isProbe) await forgetHost(ctx.db, host)
}
