/** Counts of local statuses, for NodeInfo and the instance document; counted anew once a minute at most. */
import { statusFigures } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { localFigures } from '../../store/figure.js'

const FRESH_MS = 60_000
const known = new WeakMap<Context, { at: number; figures: ReturnType<typeof localFigures> }>()

export const figures = handle(statusFigures, async (ctx) => {
  const last = known.get(ctx)
  const translates = ctx.translator !== null
  if (last && ctx.clock.now() - last.at < FRESH_MS) return { ...(await last.figures), translates }
  const counting = localFigures(ctx.db)
  known.set(ctx, { at: ctx.clock.now(), figures: counting })
  counting.catch(() => known.delete(ctx))
  return { ...(await counting), translates }
})
