/** How each of these viewers stands to one author, for fan-out and streams. */
import { authorFacts } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { standingsToAuthor } from '../../store/relation.js'
import { standingsOf } from '../../views/standing.js'

export const getAuthorFacts = handle(authorFacts, async (ctx, _viewer, { author, viewers }) =>
  standingsOf(await standingsToAuthor(ctx.db, author, viewers, ctx.clock.date())),
)
