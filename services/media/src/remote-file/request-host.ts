/** Sends a request for a file, unless its host is paused. Updates the pause of the host by the result. */
import { isTrouble } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { Deferred, PROBE_MS } from '../core/remote-file/retry.rules.js'
import { hostFailureOf } from './download.client.js'
import { updateHostPause } from './host-pause.js'
import { endPause, hostStateOf } from './host-pause.store.js'

/** Calls `request`. Rejects with `Deferred` if the host is paused, and with the error of `request` if that fails. */
export const requestHost = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  host: string,
  request: () => Promise<void>,
): Promise<void> => {
  const now = ctx.clock.now()
  const state = await hostStateOf(ctx.db, host, new Date(now), new Date(now + PROBE_MS))
  if (typeof state === 'object') throw new Deferred(state.pausedUntil.getTime())
  const isProbe = state === 'probe'
  try {
    await request()
  } catch (error) {
    // An error of this server does not change the pause of the host.
    if (!(error instanceof Deferred || isTrouble(error)))
      await updateHostPause(ctx, host, hostFailureOf(error), isProbe)
    throw error
  }
  if (isProbe) await endPause(ctx.db, host)
}
