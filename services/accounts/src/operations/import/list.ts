/** What a person imported lately. */
import { importList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { importsOf } from '../../store/import.js'
import { importView } from '../../views/import.js'
import { accountOfSession } from '../../views/session-account.js'

export const listImports = handle(importList, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { imports: (await importsOf(ctx.db, account.id)).map(importView) }
})
