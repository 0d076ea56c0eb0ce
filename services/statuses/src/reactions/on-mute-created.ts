/** A mute takes the account out of the home feed. */
import { muteCreated } from '@murmuration/contracts/accounts'
import { takeOut } from '../changes/feed.js'
import { react } from '../doors.js'

export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (e.fromLocal) await takeOut(ctx, e.from, e.to, 'naming')
})
