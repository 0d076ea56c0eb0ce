/** What an activity of a remote actor did to the graph, for undoing it by its id alone. */
import { remoteDeed } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { deedByUri } from '../../store/remote-deed.js'

export const getDeed = handle(remoteDeed, async (ctx, _viewer, { actor, uri }) => ({
  deed: await deedByUri(ctx.db, actor, uri),
}))
