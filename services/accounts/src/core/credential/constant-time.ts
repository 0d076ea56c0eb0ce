/** Runs work whose outcome the requester must not learn. The response, and the time until it is sent, are always the same. */
import type { Context } from '../../context.js'

/** Duration of the response in milliseconds. The duration is far longer than the work usually takes. */
export const RESPONSE_MS = 120

/**
 * Returns an empty object after `RESPONSE_MS`, or after the work if that takes longer. Errors of `work` are logged and do
 * not reach the caller.
 */
export const inConstantTime = async (
  ctx: Pick<Context, 'log' | 'clock'>,
  trouble: string,
  work: () => Promise<void>,
): Promise<Record<string, never>> => {
  await Promise.all([ctx.clock.sleep(RESPONSE_MS), work().catch((error) => ctx.log.warn({ error }, trouble))])
  return {}
}
