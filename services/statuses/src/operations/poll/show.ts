/** A poll as it stands now; whoever may see its status may see it. */
import { showPoll } from '@murmuration/contracts/statuses'
import { askForPoll } from '../../changes/ask-again.js'
import { handle } from '../../doors.js'
import { pollFor, visiblePoll } from '../../views/poll-page.js'

export const show = handle(showPoll, async (ctx, viewer, { id }) => {
  const { row } = await visiblePoll(ctx, viewer?.id ?? null, id)
  const shown = await pollFor(ctx, viewer?.id ?? null, row)
  // Only people make us ask others.
  if (viewer !== null) await askForPoll(ctx, row)
  return shown
})
