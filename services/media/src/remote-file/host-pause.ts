/** Stores failed requests. All processes pause a host that is silent or requests a pause. */
import type { Context } from '../context.js'
import { type HostFailure, needsPause, pauseAfter } from '../core/remote-file/retry.rules.js'
import { endPause, lockHost, pauseHost } from './host-pause.store.js'

/**
 * Updates the pause of a host after a failed request. `requestedHost`: host of the requested URL. After a redirect, another
 * host may have failed. `probe`: true if the request tested whether `requestedHost` responds again.
 */
export const updateHostPause = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  requestedHost: string,
  trouble: HostFailure | null,
  probe: boolean,
): Promise<void> => {
  const pausing = trouble !== null && needsPause(trouble) ? trouble : null
  if (probe && pausing?.host !== requestedHost) await endPause(ctx.db, requestedHost)
  if (pausing === null) return
  const { host } = pausing
  await ctx.db.tx(async (tx) => {
    const before = await lockHost(tx, host)
    const isProbe = probe && host === requestedHost
    const after = pauseAfter(before, pausing, { probe: isProbe, now: ctx.clock.now(), random: Math.random() })
    if (after !== null) await pauseHost(tx, host, after)
  })
}
