/** Which accounts a query means, best first: the skeleton of account search. */
import type { Context } from '../context.js'
import { handleKeyOf } from '../domain/handle.js'
import { resolveAccount } from '../outside/resolve-account.js'
import { accountsByHandles } from '../store/account.js'
import { searchAccounts } from '../store/search.js'

export interface SearchWish {
  viewer: string | null
  q: string
  limit: number
  offset: number
  resolve: boolean
  following: boolean
  /** Nothing but exact handles. */
  exact: boolean
}

const split = (q: string): { name: string; domain: string | null } => {
  const [name = '', domain] = q.replace(/^@/, '').split('@')
  return { name, domain: domain === undefined ? null : domain.toLowerCase() }
}

/** The one account that a whole handle names; its server is asked when that is wanted and nobody here knows it. */
const exactMatch = async (ctx: Context, wish: SearchWish): Promise<string | null> => {
  const key = handleKeyOf(wish.q, ctx.site)
  if (!key) return null
  const asked = wish.resolve && key.domain !== null
  const row = asked
    ? await resolveAccount(ctx, { handle: `${key.username}@${key.domain}` }).catch(() => null)
    : ((await accountsByHandles(ctx.db, [key]))[0] ?? null)
  return row?.usable && !row.suspended && row.moved_to_id === null ? row.id : null
}

export const findAccounts = async (ctx: Context, wish: SearchWish): Promise<string[]> => {
  const q = wish.q.trim()
  if (q === '' || wish.limit === 0) return []
  const exact = wish.offset === 0 && !wish.following ? await exactMatch(ctx, { ...wish, q }) : null
  const first = exact === null ? [] : [exact]
  if (wish.exact) return first
  const { name, domain } = split(q)
  if (name === '') return first
  const more = await searchAccounts(ctx.db, { ...wish, name, domain })
  return [...new Set([...first, ...more])].slice(0, wish.limit)
}
