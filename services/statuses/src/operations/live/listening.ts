/** Who sees at once what happens, for those who decide whether to write a mail about it. */
import { peopleListening } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { presentAmong } from '../../store/feed.js'

/** A mark stands this long after it was last renewed (facts: streaming 9). */
const FRESH_MS = 18 * 60_000

export const listening = handle(peopleListening, async (ctx, _viewer, { accounts }) => ({
  listening: await presentAmong(ctx.redis, accounts, ctx.clock.now() - FRESH_MS),
}))
