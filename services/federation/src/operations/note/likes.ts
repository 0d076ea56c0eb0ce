/** `GET …/statuses/:status/likes`: how many people favourited a status; who they are is nobody's business. */
import { showLikes } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { countAnswer } from '../../requests/count-answer.js'

export const likes = handle(showLikes, (ctx, _viewer, input) =>
  countAnswer(ctx, input, 'likes', (it) => it.favourites_count),
)
