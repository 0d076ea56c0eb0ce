/** One status. */
import { showStatus } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showStatus as render } from '../../views/status.js'

export const show = handle(showStatus, (ctx, viewer, { id }) => render(ctx, viewer?.id ?? null, id))
