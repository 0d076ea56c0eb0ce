/** An operator no longer blocks a user name. */
import { usernameBlockLift } from '@murmuration/contracts/admin'
import { liftUsernameBlock } from '../../changes/access-block.js'
import { handle } from '../../doors.js'

export const lift = handle(usernameBlockLift, async (ctx, _viewer, { username }) => {
  await liftUsernameBlock(ctx, null, username)
  return {}
})
