/** `GET /ap/users/:id/followers`: who follows a person. */
import { showFollowers } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { relationAnswer } from '../../requests/relation-page.js'

export const followers = handle(showFollowers, (ctx, _viewer, input) => relationAnswer(ctx, input, 'followers'))
