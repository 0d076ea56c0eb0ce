/** Who mutes somebody together with their notifications has none of them left. */
import { muteCreated } from '@murmuration/contracts/accounts'
import { silence } from '../changes/undo.js'
import { react } from '../doors.js'

export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (e.fromLocal && e.notifications) await silence(ctx, e.from, e.to, false)
})
