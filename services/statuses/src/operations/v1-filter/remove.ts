/** Takes a keyword out of its filter, in the older form; the filter stays. */
import { removeV1Filter } from '@murmuration/contracts/statuses'
import { dropKeyword } from '../../changes/filter-keyword.js'
import { handle } from '../../doors.js'

export const remove = handle(removeV1Filter, (ctx, viewer, { id }) => dropKeyword(ctx, viewer.id, id))
