/** Guarded HTTP clients with limits of their own, so that a slow server delays only requests of one kind. */
import { userAgentOf } from '@murmuration/contracts/kit'
import { type BaseContext, logRefusals } from '@murmuration/kernel'
import { createOutbound, type Outbound } from '@murmuration/outbound'
import type { Config } from '../config.js'

/** Limits of one client: requests in flight in one process, and connections to one host. Default: those of `createOutbound`. */
export type ClientLimits = { maxInFlight?: number; maxConnectionsPerHost?: number }

/**
 * Opens an outbound client, which is closed when the process stops. `name` identifies the client among the close
 * handlers.
 */
export const openOutbound = (
  base: Pick<BaseContext, 'common' | 'site' | 'clock' | 'needs' | 'onClose'> & Parameters<typeof logRefusals>[0],
  { allowAddresses }: Config,
  name: string,
  places: ClientLimits = {},
): Outbound => {
  const outbound = base.needs.grant('internet', () =>
    createOutbound({
      userAgent: userAgentOf(base.site.origin),
      mode: base.common.mode,
      onRefused: logRefusals(base),
      allowPrivate: allowAddresses.length > 0,
      allowAddresses: [...allowAddresses],
      // Plain http is allowed if private addresses are, because a test network on loopback has no certificates.
      allowHttp: allowAddresses.length > 0,
      ...places,
      clock: base.clock,
    }),
  )
  base.onClose(name, () => outbound.close())
  return outbound
}
