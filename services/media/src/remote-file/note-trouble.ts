/** Records failed requests: all processes pause a host that is silent or asks for a pause. */
import type { Context } from '../context.js'
import { asksForPause, type HostTrouble, pauseAfter } from '../core/patience.rules.js'
import { forgetHost, lockHost, pauseHost } from './silent-host.store.js'

/**
 * `asked` is the host of the address that was asked; what became of the request may tell of another one, to which it redirected.
 * `probe` when this was the one request that was to find out whether the host that was asked answers again.
 */
export const noteTrouble = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  asked: string,
  trouble: HostTrouble | null,
  probe: boolean,
): Promise<void> => {
  const pausing = trouble !== null && asksForPause(trouble) ? trouble : null
  if (probe && pausing?.host !== asked) await forgetHost(ctx.db, asked)
  if (pausing === null) return
  const { host } = pausing
  await ctx.db.tx(async (tx) => {
    const before = await lockHost(tx, host)
    const isProbe = probe && host === asked
    const after = pauseAfter(before, pausing, { probe: isProbe, now: ctx.clock.now(), random: Math.random() })
    if (after !== null) await pauseHost(tx, host, after)
  })
}
