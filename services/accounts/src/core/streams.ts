/** Tells streaming nodes to close what a person has open. */
import type { Context } from '../context.js'

/** Lossy, like everything live: a node that missed it learns from the token hint or its own re-check. */
export const closeStreams = (ctx: Pick<Context, 'nc'>, accountId: string): void => {
  if (!ctx.nc.isClosed()) ctx.nc.publish(`live.user.${accountId}`, JSON.stringify({ e: 'kill' }))
}
