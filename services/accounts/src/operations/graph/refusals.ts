/** Whom of these authors each of these viewers does not want to be told of. */
import { refusals } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { refusalsBetween } from '../../store/refusal.js'

export const getRefusals = handle(refusals, async (ctx, _viewer, { viewers, authors }) => {
  const pairs = await refusalsBetween(ctx.db, viewers, authors, ctx.clock.date())
  const byViewer = Map.groupBy(pairs, (pair) => pair.viewer)
  return { refused: Object.fromEntries([...byViewer].map(([viewer, own]) => [viewer, own.map((one) => one.author)])) }
})
