/** A server was asked for a remote status: what it answered may end the status. */
import { heedAnswer as contract } from '@murmuration/contracts/statuses'
import { heedAnswer } from '../../changes/absence.js'
import { handle } from '../../doors.js'

export const heed = handle(contract, async (ctx, _viewer, { uri, outcome }) => ({
  removed: await heedAnswer(ctx, uri, outcome),
}))
