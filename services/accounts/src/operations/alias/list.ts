/** Other accounts that a person says are theirs. */
import { aliasList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { aliasesOf } from '../../views/alias.js'
import { accountOfSession } from '../../views/session-account.js'

export const listAliases = handle(aliasList, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { aliases: await aliasesOf(ctx.db, account.also_known_as, ctx.site.localDomain) }
})
