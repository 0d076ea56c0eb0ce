/** Counts of people and servers for NodeInfo and the instance document; of many they are counted anew once a minute at most. */
import { accountFigures } from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { countDomains, countPeople } from '../../store/figure.js'

type Figures = ResultOf<typeof accountFigures.output>

const FRESH_MS = 60_000
/** Fewer people and servers are counted in a moment, each time. */
const MANY_PEOPLE = 10_000
const MANY_DOMAINS = 1_000

const known = new WeakMap<Context, { until: number; figures: Promise<Figures> }>()

const count = async (ctx: Context): Promise<Figures> => {
  const ago = (seconds: number) => new Date(ctx.clock.now() - seconds * 1_000)
  const [people, domains] = await Promise.all([
    countPeople(ctx.db, {
      month: ago(limits.instance.activeMonthSeconds),
      halfyear: ago(limits.instance.activeHalfyearSeconds),
    }),
    countDomains(ctx.db),
  ])
  return {
    users: people.users,
    activeMonth: people.active_month,
    activeHalfyear: people.active_halfyear,
    domains,
  }
}

/** Whoever asks while they are counted waits for the same answer; one that took its time is kept. */
export const getFigures = handle(accountFigures, async (ctx) => {
  const last = known.get(ctx)
  if (last && ctx.clock.now() < last.until) return last.figures
  const counting = count(ctx)
  known.set(ctx, { until: Number.POSITIVE_INFINITY, figures: counting })
  const isKept = await counting.then(
    ({ users, domains }) => users >= MANY_PEOPLE || domains >= MANY_DOMAINS,
    () => false,
  )
  if (isKept) known.set(ctx, { until: ctx.clock.now() + FRESH_MS, figures: counting })
  else known.delete(ctx)
  return counting
})
