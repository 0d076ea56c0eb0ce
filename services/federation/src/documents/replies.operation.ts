/** `GET …/statuses/:status/replies`: public replies to a status, replies by its author first. */

import { noteContext } from '@murmuration/activitypub/vocabulary/context'
import { writePage } from '@murmuration/activitypub/vocabulary/write-collection'
import { INLINE_REPLIES, repliesAfter } from '@murmuration/activitypub/vocabulary/write-note'
import { accountRecords } from '@murmuration/contracts/accounts'
import { showReplies } from '@murmuration/contracts/federation'
import { repliesPage, type StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { accountsBlocking, sourcesOf } from '../core/address/local.js'
import { noteDocument } from '../core/note/view.js'
import type { Requester } from '../core/signature/requester.js'
import { handle } from '../handlers.js'
import { type AboutStatus, aboutStatus } from './about-status.js'
import { cursor } from './account-request.js'
import { recordReader } from './record-reader.js'
import { documentResponse, MAX_AGE_SECONDS } from './response.js'

const SIZE = 60
/** Maximum number of calls of `repliesPage` per request to fill a page. */
const MAX_CALLS = 3

interface RepliesQuery {
  readonly requester: Requester
  readonly own: boolean
  readonly after: string | undefined
  readonly limit: number
}

interface Replies {
  readonly replies: readonly Reply[]
  /** Cursor of the next page: the last read id; null at the end. */
  readonly next: string | null
}
type Reply = { id: string; uri: string; local: boolean; author: string }

/** The replies, except replies by suspended accounts and by accounts that block the requesting actor. */
const shownAmong = async (ctx: Context, replies: readonly Reply[], requester: Requester): Promise<Reply[]> => {
  const authors = [...new Set(replies.map((it) => it.author))]
  if (authors.length === 0) return []
  const [{ records }, away] = await Promise.all([
    ctx.call(accountRecords, { ids: authors }),
    accountsBlocking(ctx, authors, requester),
  ])
  const shown = new Set(records.filter((it) => !it.suspended && (it.usable || it.domain !== null)).map((it) => it.id))
  return replies.filter((it) => shown.has(it.author) && !away.has(it.author))
}

/**
 * One page of replies. If replies on it are hidden, further replies fill the page, with at most `calls` requests. After these requests,
 * a page may have fewer than `limit` replies.
 */
const repliesTo = async (
  ctx: Context,
  status: StatusRecord,
  page: RepliesQuery,
  calls = MAX_CALLS,
): Promise<Replies> => {
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  if (!isOpen) return { replies: [], next: null }
  const { own, after, limit, requester } = page
  const found = await ctx.call(repliesPage, { status: status.id, author: status.author, own, after, limit })
  const replies = await shownAmong(ctx, found.replies, requester)
  if (found.next === null || replies.length === limit || calls === 1) return { replies, next: found.next }
  const more = await repliesTo(ctx, status, { ...page, after: found.next, limit: limit - replies.length }, calls - 1)
  return { replies: [...replies, ...more.replies], next: more.next }
}

/**
 * Items of a page: local replies as Notes; remote replies as URIs, because clients must fetch them from their own
 * servers.
 */
const itemsOf = async (ctx: Context, replies: readonly Reply[], by: Pick<AboutStatus, 'requester' | 'request'>) => {
  const ours = replies.filter((it) => it.local).map((it) => it.id)
  const { sources, accounts } = await sourcesOf(ctx, ours)
  await recordReader(ctx, sources, by)
  const site = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const written = new Map(sources.map((it) => [it.id, noteDocument(it, accounts, site)]))
  return replies.map(({ id, uri }) => {
    const document = written.get(id)
    if (!document) return uri
    const { '@context': _context, ...node } = document
    return node
  })
}

export const replies = handle(showReplies, async (ctx, _viewer, input) => {
  const { request, requester, status } = await aboutStatus(ctx, input)
  const uri = `${status.uri}/replies`
  const made = { requester, secure: ctx.self.secure, seconds: MAX_AGE_SECONDS.page }
  if (!request.query.has('page')) {
    const found = await repliesTo(ctx, status, { requester, own: true, after: undefined, limit: INLINE_REPLIES })
    const { '@context': context, ...first } = writePage({
      uri: `${uri}?page=true`,
      partOf: uri,
      items: found.replies.map((it) => it.uri),
      next: repliesAfter(uri, found.next),
      ordered: false,
    })
    return documentResponse(request, { '@context': context, id: uri, type: 'Collection', first }, made)
  }
  const own = !request.query.has('only_other_accounts')
  const found = await repliesTo(ctx, status, { requester, own, after: cursor(request, 'min_id'), limit: SIZE })
  const others = found.next !== null ? `${uri}?min_id=${found.next}&only_other_accounts=true&page=true` : null
  const page = writePage({
    uri: `${uri}${request.path.slice(request.path.indexOf('?'))}`,
    partOf: uri,
    items: await itemsOf(ctx, found.replies, { requester, request }),
    next: own ? repliesAfter(uri, found.next) : others,
    ordered: false,
    context: noteContext,
  })
  return documentResponse(request, page, made)
})
