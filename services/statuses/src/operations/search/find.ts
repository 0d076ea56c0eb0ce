/** Search: an address or a handle names one thing, anything else is looked for among accounts and hashtags. */
import { accountCards, accountFind, accountResolve } from '@murmuration/contracts/accounts'
import type { Search } from '@murmuration/contracts/entities'
import { fail, type Json, jsonArray } from '@murmuration/contracts/kit'
import { search } from '@murmuration/contracts/statuses'
import { normaliseTag } from '@murmuration/text'
import { resolveStatus } from '../../changes/resolve.js'
import { handle } from '../../doors.js'
import { tagsLike } from '../../store/tag-search.js'
import { showStatuses } from '../../views/status.js'
import { showTags } from '../../views/tag.js'

/** Fewer characters than this, and visitors find exact handles only (S-141, S-200). */
const SHORT = 5

const joined = (parts: { accounts?: string; statuses?: string; hashtags?: string }): Json<Search> =>
  `{"accounts":${parts.accounts ?? '[]'},"statuses":${parts.statuses ?? '[]'},"hashtags":${parts.hashtags ?? '[]'},"collections":[]}` as Json<Search>

export const find = handle(search, async (ctx, viewer, input) => {
  const q = input.q.trim()
  if (q === '') throw fail('invalid', 'param is missing or the value is empty or invalid: q')
  if (!viewer && input.resolve)
    throw fail(
      'unauthenticated',
      'Search queries that resolve remote resources are not supported without authentication',
    )
  if (!viewer && input.offset > 0)
    throw fail('unauthenticated', 'Search queries pagination is not supported without authentication')
  const wants = (type: string) => input.type === undefined || input.type === '' || input.type === type
  const isAddress = /^https?:\/\/\S+$/.test(q)
  if (isAddress && input.resolve && viewer) {
    const id = await resolveStatus(ctx, q)
    const statuses = id === null ? [] : [...(await showStatuses(ctx, viewer.id, [id], 'single')).values()]
    if (statuses.length) return joined(wants('statuses') ? { statuses: jsonArray(statuses) } : {})
    const { record } = await ctx.call(accountResolve, { uri: q }).catch(() => ({ record: null }))
    const cards = record ? await ctx.call(accountCards, { ids: [record.id] }) : new Map<string, never>()
    return joined(wants('accounts') ? { accounts: jsonArray([...cards.values()]) } : {})
  }
  const from = input.type ? input.offset : 0
  const [ids, tags] = await Promise.all([
    wants('accounts')
      ? ctx.call(accountFind, {
          viewer: viewer?.id ?? null,
          q,
          limit: input.limit,
          offset: from,
          resolve: input.resolve === true,
          following: input.following === true,
          exact: !viewer && [...q].length < SHORT,
        })
      : { ids: [] },
    wants('hashtags') && (viewer || [...q].length >= SHORT)
      ? tagsLike(ctx.db, normaliseTag(q.replace(/^#/, '')), input.limit, from)
      : [],
  ])
  const cards = await ctx.accountCards.many(ids.ids)
  const hashtags = await showTags(ctx, viewer?.id ?? null, tags)
  return joined({
    accounts: jsonArray(ids.ids.flatMap((id) => cards.get(id) ?? [])),
    hashtags: JSON.stringify(hashtags),
  })
})
