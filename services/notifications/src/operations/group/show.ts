/** One group. */
import { notFound } from '@murmuration/contracts/kit'
import { showGroup } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { groupByKey, groupFacts } from '../../store/group.js'
import { renderGroups } from '../../views/group.js'

export const show = handle(showGroup, async (ctx, viewer, { group_key, supported_types }) => {
  const row = await groupByKey(ctx.db, viewer.id, group_key)
  if (!row) throw notFound()
  const keys = row.group_key === group_key ? [group_key] : []
  const facts = await groupFacts(ctx.db, viewer.id, keys, { from: null, to: null, below: null })
  return renderGroups(ctx, viewer.id, [row], facts, { supported: supported_types, paged: false })
})
