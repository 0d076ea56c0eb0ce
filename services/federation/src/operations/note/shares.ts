/** `GET …/statuses/:status/shares`: how many people boosted a status. */
import { showShares } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { countAnswer } from '../../requests/count-answer.js'

export const shares = handle(showShares, (ctx, _viewer, input) =>
  countAnswer(ctx, input, 'shares', (it) => it.reblogs_count),
)
