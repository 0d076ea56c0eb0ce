/** Takes a keyword out of a filter of the viewer. */
import { removeFilterKeyword } from '@murmuration/contracts/statuses'
import { dropKeyword } from '../../changes/filter-keyword.js'
import { handle } from '../../doors.js'

export const remove = handle(removeFilterKeyword, (ctx, viewer, { id }) => dropKeyword(ctx, viewer.id, id))
