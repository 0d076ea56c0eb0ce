/** Handlers of threads: context, mutes and replies. */
import { reply } from '@murmuration/contracts/kit'
import {
  contextPage,
  muteThread,
  repliesPage,
  showThread,
  threadStates,
  unmuteThread,
} from '@murmuration/contracts/statuses'
import { refreshHeader } from '../core/async-refresh/rules.js'
import { refetchApprovals, refetchQuote } from '../core/refetch/refetch.js'
import { showStatus } from '../core/render/show-status.js'
import { descendantsOf, muteConversation, openReplies, unmuteConversation } from '../core/reply/thread.store.js'
import { rowOf, rowsOf } from '../core/status/store.js'
import { visibleStatus } from '../core/visibility/find-status.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { handle } from '../handlers.js'
import { showThreadAround } from './around.js'
import { threadRefresh } from './refresh.js'
import { mutersOf, wroteAbove } from './state.store.js'

/** The thread around a status, with a refresh id while its replies are being fetched. */
export const show = handle(showThread, async (ctx, viewer, { id }) => {
  const { original } = await visibleStatus(ctx, viewer?.id ?? null, id)
  // Anonymous viewers cannot read refreshes, and cause no requests to other servers.
  if (viewer !== null) await Promise.all([refetchQuote(ctx, original), refetchApprovals(ctx, original)])
  const running = viewer === null ? null : await threadRefresh(ctx, original)
  const thread = await showThreadAround(ctx, viewer?.id ?? null, original.id)
  if (running?.status !== 'running') return thread
  return reply(thread, { headers: refreshHeader(running.id, { retry: 3, count: running.count }) })
})

/** Mutes a thread, which then causes no notifications for the viewer. */
export const mute = handle(muteThread, async (ctx, viewer, { id }) => {
  const { original } = await visibleStatus(ctx, viewer.id, id)
  await ctx.db.tx((tx) => muteConversation(tx, viewer.id, original.conversation_id))
  return showStatus(ctx, viewer.id, id)
})

/** Ends the mute of a thread. */
export const unmute = handle(unmuteThread, async (ctx, viewer, { id }) => {
  const { original } = await visibleStatus(ctx, viewer.id, id)
  await ctx.db.tx((tx) => unmuteConversation(tx, viewer.id, original.conversation_id))
  return showStatus(ctx, viewer.id, id)
})

/** For notifications: which viewers muted the thread of a status, and which wrote to its sender in the thread. */
export const states = handle(threadStates, async (ctx, _viewer, { status, sender, viewers }) => {
  const [muted, wrote] = await Promise.all([
    mutersOf(ctx.db, status, viewers),
    wroteAbove(ctx.db, status, sender, viewers),
  ])
  return { muted, wrote }
})

/** Maximum number of statuses that are listed of a conversation. */
const MAX_STATUSES = 500

const byAge = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1)

/**
 * Public and unlisted statuses of a conversation that started with a local status. For any other conversation, the page
 * is empty.
 */
export const context = handle(contextPage, async (ctx, _viewer, { root, after, limit }) => {
  const first = await rowOf(ctx.db, root)
  const isOpen = first && ['public', 'unlisted'].includes(visibilityOf(first.visibility))
  const isRoot = first?.local && first.deleted_at === null && first.conversation_id === first.id
  if (!isOpen || !isRoot) return { author: null, statuses: [], next: null }
  const below = await descendantsOf(ctx.db, null, root, MAX_STATUSES, null)
  const left = [root, ...below.map((one) => one.id)]
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

/** Public and unlisted replies to a status, for its collection of replies. */
export const replies = handle(repliesPage, (ctx, _viewer, { status, author, own, after, limit }) =>
  openReplies(ctx.db, status, { author, own, after, limit }),
)
