/** Closes the streaming connections of an account. */
import { publishCoreMessage } from '@murmuration/kernel'
import type { Context } from '../../context.js'

/**
 * Publishes a core NATS message, which may be lost. Therefore streaming nodes also learn of a revoked token from its
 * cache invalidation and from periodic checks.
 */
export const closeStreams = (ctx: Pick<Context, 'nc'>, accountId: string): void => {
  publishCoreMessage(ctx.nc, `live.user.${accountId}`, JSON.stringify({ e: 'kill' }))
}
