/** A poll as it stands now; whoever may see its status may see it. */
import { showPoll } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showPollOf } from '../../views/poll-page.js'

export const show = handle(showPoll, (ctx, viewer, { id }) => showPollOf(ctx, viewer?.id ?? null, id))
