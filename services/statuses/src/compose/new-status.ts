/**
 * Renders a status for its author right after it was stored. Counters and viewer state are known to be empty, so they
 * are not read.
 */
import type { Status } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { hydrate } from '../core/render/hydrate.js'
import { statusText } from '../core/render/present.js'
import { showStatus } from '../core/render/show-status.js'
import type { FullStatus } from '../core/status/new-status.js'
import { FIRST_REVISION } from '../core/status/store.js'
import { NO_VIEWER_STATE } from '../core/viewer/loaded-status.js'
import type { AuthorState, CurrentState, ViewerState } from '../core/viewer/loaded-status.store.js'
import { firstRevisionColumnsOf } from './cache-new-status.js'

/** Whether the status starts its conversation. An author cannot have muted a conversation that the status starts. */
const beginsConversation = ({ row }: FullStatus): boolean => row.conversation_id === row.id

const freshOfNew = ({ row }: FullStatus, author: AuthorState): CurrentState & ViewerState => ({
  ...NO_VIEWER_STATE,
  ...author,
  id: row.id,
  rev: FIRST_REVISION,
  parent_gone: false,
  replied_to_gone: false,
  quote_policy: row.quote_policy ?? 0,
  has_quote: row.has_quote ?? false,
  preview_id: null,
  preview_url: null,
  replies: 0,
  reblogs: 0,
  favourites: 0,
  quotes: 0,
  reactions: 0,
})

/**
 * JSON of a new status as its author sees it. If `author` is null, or the status is a reply, all data is read from
 * rows.
 */
export const showNew = async (ctx: Context, full: FullStatus, author: AuthorState | null): Promise<Json<Status>> => {
  const { id, author_id } = full.row
  if (author === null || !beginsConversation(full)) return showStatus(ctx, author_id, id)
  const status = { ...firstRevisionColumnsOf(full), ...freshOfNew(full, author) }
  return statusText(await hydrate(ctx, author_id, [id], 'single', { statuses: new Map([[id, status]]) }), id)
}
