/** All blocks of this kind, for operators: a user name each. */
import { usernameBlockFind } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { usernameBlocksAfter } from '../../store/username-block.js'
import { usernameRuleOf } from '../../views/access-block.js'

const PAGE = 500

export const find = handle(usernameBlockFind, async (ctx, _viewer, { after }) => {
  const rows = await usernameBlocksAfter(ctx.db, after, PAGE)
  return { blocks: rows.map(usernameRuleOf), next: rows.length < PAGE ? null : (rows.at(-1)?.username ?? null) }
})
