/** What actor documents of local people are written from. */
import { localActors } from '@murmuration/contracts/accounts'
import { ensureKeys } from '../../changes/signing-key.js'
import { handle } from '../../doors.js'
import { accountsByHandles, accountsByIds } from '../../store/account.js'
import { actorOf } from '../../views/local-actor.js'

export const getActors = handle(localActors, async (ctx, _viewer, { ids = [], usernames = [] }) => {
  const names = usernames.map((name) => ({ username: name.toLowerCase(), domain: null }))
  const found = await Promise.all([accountsByIds(ctx.db, ids), accountsByHandles(ctx.db, names)])
  const rows = [...new Map(found.flat().map((row) => [row.id, row])).values()].filter((row) => row.domain === null)
  const keys = await ensureKeys(
    ctx,
    rows.map((row) => row.id),
  )
  return {
    actors: rows.flatMap((row) => {
      const key = keys.get(row.id)
      return key ? [actorOf(row, ctx.site, key.public_pem)] : []
    }),
  }
})
