/** What everybody may see of a conversation that began here. */
import { contextPage } from '@murmuration/contracts/statuses'
import { visibilityOf } from '../../domain/visibility.js'
import { handle } from '../../doors.js'
import { rowOf, rowsOf } from '../../store/status.js'
import { descendantsOf } from '../../store/thread.js'

/** Of a longer conversation the first so many are listed. */
const MOST = 500

const byAge = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1)

export const context = handle(contextPage, async (ctx, _viewer, { root, after, limit }) => {
  const first = await rowOf(ctx.db, root)
  const isOpen = first && ['public', 'unlisted'].includes(visibilityOf(first.visibility))
  const isRoot = first?.local && first.deleted_at === null && first.conversation_id === first.id
  if (!isOpen || !isRoot) return { author: null, statuses: [], next: null }
  const below = await descendantsOf(ctx.db, null, root, MOST, null)
  const left = [root, ...below.map((it) => it.id)]
    .sort(byAge)
    .filter((id) => after === undefined || BigInt(id) > BigInt(after))
  const ids = left.slice(0, limit)
  const rows = await rowsOf(ctx.db, ids)
  return {
    author: first.author_id,
    statuses: ids.flatMap((id) => {
      const row = rows.get(id)
      return row ? [{ id, uri: row.uri, author: row.author_id }] : []
    }),
    next: left.length > ids.length ? (ids.at(-1) ?? null) : null,
  }
})
