/** Handlers of grouped notifications. */
import { errorText, fail, notFound, pageReply, reply } from '@murmuration/contracts/kit'
import { dismissGroup, groupAccounts, listGroups, showGroup, unreadGroups } from '@murmuration/contracts/notifications'
import { endsOf, newestFirst } from '@murmuration/db'
import { dismissGroupOf } from '../candidate/index.js'
import { countNewerGroups, groupByKey, groupPage, groupSummaries, sendersInGroup } from '../core/group.store.js'
import { narrowingOf } from '../core/narrowing.rules.js'
import { rangeOf } from '../core/page-range.rules.js'
import { groupedTypes } from '../core/type.rules.js'
import { handle } from '../handlers.js'
import { markersOf } from '../marker/index.js'
import { renderGroups } from './render.js'

/** Returns the notifications of the viewer in groups. */
export const list = handle(listGroups, async (ctx, viewer, input) => {
  const expand = input.expand_accounts ?? 'full'
  if (expand !== 'full' && expand !== 'partial_avatars')
    throw fail(
      'invalid',
      errorText("Invalid value for 'expand_accounts': ''{expand}'', allowed values are 'full' and 'partial_avatars'", {
        expand,
      }),
    )
  const rows = await groupPage(ctx.db, viewer.id, narrowingOf(input), groupedTypes(input.grouped_types), input)
  const ids = rows.map((row) => row.id)
  const grouped = rows.filter((row) => row.key === row.group_key).map((row) => row.key)
  const summaries = await groupSummaries(ctx.db, viewer.id, grouped, rangeOf(ids, input))
  const text = await renderGroups(ctx, viewer.id, rows, summaries, {
    supported: input.supported_types,
    partial: expand === 'partial_avatars',
    paged: true,
  })
  const [first, last] = [ids[0], ids.at(-1)]
  return reply(text, {
    next: last === undefined ? undefined : { max_id: last },
    prev: first === undefined ? undefined : { min_id: first },
  })
})

/** Returns one group of notifications by its key; 404 if it has no visible notification. */
export const show = handle(showGroup, async (ctx, viewer, { group_key, supported_types }) => {
  const row = await groupByKey(ctx.db, viewer.id, group_key)
  if (!row) throw notFound()
  const keys = row.group_key === group_key ? [group_key] : []
  const summaries = await groupSummaries(ctx.db, viewer.id, keys, { from: null, to: null, below: null })
  return renderGroups(ctx, viewer.id, [row], summaries, { supported: supported_types, paged: false })
})

/** Number of groups with a notification newer than the marker of the viewer, counted up to `limit`. */
export const unread = handle(unreadGroups, async (ctx, viewer, input) => {
  const [marker] = await markersOf(ctx.db, viewer.id, ['notifications'])
  const after = marker?.last_read_id ?? '0'
  const grouped = groupedTypes(input.grouped_types)
  return { count: await countNewerGroups(ctx.db, viewer.id, narrowingOf(input), grouped, after, input.limit) }
})

/** Returns one page of the senders of the notifications in a group, newest notification first. */
export const accounts = handle(groupAccounts, async (ctx, viewer, { group_key, ...page }) => {
  const rows = newestFirst(await sendersInGroup(ctx.db, viewer.id, group_key, page), page)
  const cards = await ctx.accountCards.many(rows.map((row) => row.from_id))
  const ids = rows.map((row) => row.id)
  return pageReply(
    groupAccounts.output,
    rows.flatMap((row) => cards.get(row.from_id) ?? []),
    endsOf(ids, page),
  )
})

/** Removes a group of notifications. Succeeds also if the group does not exist. */
export const dismiss = handle(dismissGroup, async (ctx, viewer, { group_key }) => {
  await ctx.db.tx((tx) => dismissGroupOf(tx, viewer.id, group_key))
  return {}
})
