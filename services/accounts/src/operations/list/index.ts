/** The lists of the viewer, in order of creation. */
import { listIndex } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { listsOfOwner } from '../../store/list.js'

export const indexLists = handle(listIndex, (ctx, viewer) => listsOfOwner(ctx.db, viewer.id))
