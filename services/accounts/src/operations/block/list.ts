/** Accounts that the viewer blocks, newest first. */
import { blockList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { blockedBy } from '../../store/block.js'
import { peoplePage } from '../../views/people-page.js'

export const listBlocks = handle(blockList, async (ctx, viewer, page) =>
  peoplePage(ctx, blockList.output, page, await blockedBy(ctx.db, viewer.id, page)),
)
