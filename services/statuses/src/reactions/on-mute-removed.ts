/** A lifted mute brings a followed account back into the home feed. */
import { muteRemoved } from '@murmuration/contracts/accounts'
import { mergeIn } from '../changes/feed.js'
import { react } from '../doors.js'

export const onMuteRemoved = react(muteRemoved, 'on-mute-removed', async (ctx, e) => {
  if (e.fromLocal) await mergeIn(ctx, e.from, e.to)
})
