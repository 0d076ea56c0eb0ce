/** Where an activity went and what came of it at each server, for operators. */
import { deliveryExplain } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { states } from '../../store/delivery.js'
import { activitiesOn, countsOf, deliveriesOf } from '../../store/delivery-report.js'

/** A thing has a Create, its latest edits and an end; more is not looked at. */
const MOST_ACTIVITIES = 50

export const explain = handle(deliveryExplain, async (ctx, _viewer, { activity, limit }) => {
  const found = await activitiesOn(ctx.db, activity, MOST_ACTIVITIES)
  const ids = found.map((it) => it.id)
  const [counts, deliveries] = await Promise.all([countsOf(ctx.db, ids), deliveriesOf(ctx.db, ids, limit)])
  const stateOf = (number: number) => states[number] ?? 'pending'
  return {
    activities: found.map((it) => {
      const counted = counts.filter((one) => one.activity_id === it.id)
      const count = (state: (typeof states)[number]) => counted.find((one) => stateOf(one.state) === state)?.n ?? 0
      return {
        uri: it.uri,
        kind: it.kind,
        created_at: it.created_at.toISOString(),
        counts: {
          pending: count('pending'),
          delivered: count('delivered') + (it.reached ?? 0),
          refused: count('refused'),
          'gave-up': count('gave-up'),
          replaced: count('replaced'),
        },
        deliveries: deliveries
          .filter((one) => one.activity_id === it.id)
          .map((one) => ({
            inbox: one.inbox,
            host: one.host,
            state: stateOf(one.state),
            attempts: one.attempts,
            status: one.status,
            at: one.at.toISOString(),
          })),
      }
    }),
  }
})
