/** Whether and where a person moved, and when they may again. */
import { moveShow } from '@murmuration/contracts/accounts'
import { nextMoveAt } from '../../domain/move.js'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { movesOf } from '../../store/move.js'
import { aliasOf } from '../../views/alias.js'
import { accountOfSession } from '../../views/session-account.js'

export const showMove = handle(moveShow, async (ctx, _viewer, { session }) => {
  const { account, person } = await accountOfSession(ctx, session)
  const moves = await movesOf(ctx.db, account.id)
  const ids = [...moves.map((one) => one.target_id), ...(account.moved_to_id === null ? [] : [account.moved_to_id])]
  const homes = new Map((await accountsByIds(ctx.db, [...new Set(ids)])).map((row) => [row.id, row]))
  const home = homes.get(account.moved_to_id ?? '')
  return {
    moved: home ? aliasOf(home, ctx.site.localDomain) : null,
    followers_count: account.followers_count,
    next_at: nextMoveAt(moves[0]?.created_at ?? null, ctx.clock.now())?.toISOString() ?? null,
    past: moves.flatMap((one) => {
      const row = homes.get(one.target_id)
      return row
        ? [
            {
              ...aliasOf(row, ctx.site.localDomain),
              at: one.created_at.toISOString(),
              followers: one.followers,
              done: one.done_at !== null,
            },
          ]
        : []
    }),
    passwordless: person.password_hash === null,
  }
})
