/** What happened to the viewer, gathered into groups. */
import { fail, reply } from '@murmuration/contracts/kit'
import { listGroups } from '@murmuration/contracts/notifications'
import { narrowingOf } from '../../domain/narrowing.js'
import { rangeOf } from '../../domain/page-range.js'
import { groupedTypes } from '../../domain/type.js'
import { handle } from '../../doors.js'
import { groupFacts, groupPage } from '../../store/group.js'
import { renderGroups } from '../../views/group.js'

export const listThem = handle(listGroups, async (ctx, viewer, input) => {
  const expand = input.expand_accounts ?? 'full'
  if (expand !== 'full' && expand !== 'partial_avatars')
    throw fail(
      'invalid',
      `Invalid value for 'expand_accounts': '${expand}', allowed values are 'full' and 'partial_avatars'`,
    )
  const rows = await groupPage(ctx.db, viewer.id, narrowingOf(input), groupedTypes(input.grouped_types), input)
  const ids = rows.map((row) => row.id)
  const grouped = rows.filter((row) => row.key === row.group_key).map((row) => row.key)
  const facts = await groupFacts(ctx.db, viewer.id, grouped, rangeOf(ids, input))
  const text = await renderGroups(ctx, viewer.id, rows, facts, {
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
