/** Work whose outcome must not show: always the same answer, after the same time. */
import type { Context } from '../context.js'

/** Far more than the work takes on a busy day. */
export const TAKES_MS = 120

/** Answers nothing, when the time is up and the work is done; what goes wrong is only logged. */
export const inConstantTime = async (
  ctx: Pick<Context, 'log' | 'clock'>,
  trouble: string,
  work: () => Promise<void>,
): Promise<Record<string, never>> => {
  await Promise.all([ctx.clock.sleep(TAKES_MS), work().catch((error) => ctx.log.warn({ error }, trouble))])
  return {}
}
