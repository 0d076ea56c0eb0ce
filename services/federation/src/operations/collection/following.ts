/** `GET /ap/users/:id/following`: whom a person follows. */
import { showFollowing } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { relationAnswer } from '../../requests/relation-page.js'

export const following = handle(showFollowing, (ctx, _viewer, input) => relationAnswer(ctx, input, 'following'))
