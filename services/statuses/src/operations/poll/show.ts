/** A poll as it stands now; whoever may see its status may see it. */
import { showPoll } from '@murmuration/contracts/statuses'
import { askForPoll } from '../../changes/ask-again.js'
import { handle } from '../../doors.js'
import { showPollOf, visiblePoll } from '../../views/poll-page.js'

export const show = handle(showPoll, async (ctx, viewer, { id }) => {
  const shown = await showPollOf(ctx, viewer?.id ?? null, id)
  // Only people make us ask others.
  if (viewer !== null) await askForPoll(ctx, (await visiblePoll(ctx, viewer.id, id)).row)
  return shown
})
