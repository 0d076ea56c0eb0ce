/** Handlers of notification requests. */
import { notFound, pageReply } from '@murmuration/contracts/kit'
import {
  acceptRequest,
  acceptRequests,
  dismissRequest,
  dismissRequests,
  listRequests,
  requestsMerged,
  showRequest,
} from '@murmuration/contracts/notifications'
import { endsOf, newestFirst } from '@murmuration/db'
import { requestById, requestPage } from '../core/request.store.js'
import { handle } from '../handlers.js'
import { accept, dismiss } from './decide.js'
import { isMerging } from './merge.store.js'
import { renderRequests } from './render.js'

/** One page of the viewer's notification requests, newest first. */
export const list = handle(listRequests, async (ctx, viewer, page) => {
  const rows = newestFirst(await requestPage(ctx.db, viewer.id, page), page)
  const ids = rows.map((row) => row.id)
  return pageReply(listRequests.output, await renderRequests(ctx, viewer.id, rows), endsOf(ids, page))
})

/** Returns one notification request of the viewer. */
export const show = handle(showRequest, async (ctx, viewer, { id }) => {
  const row = await requestById(ctx.db, viewer.id, id)
  const [text] = row ? await renderRequests(ctx, viewer.id, [row]) : []
  if (text === undefined) throw notFound()
  return text
})

/** Accepts a notification request. Responds 404 if it does not exist. */
export const acceptOne = handle(acceptRequest, async (ctx, viewer, { id }) => {
  if ((await accept(ctx, viewer.id, [id])) === 0) throw notFound()
  return {}
})

/** Accepts several notification requests. Unknown ids are ignored. */
export const acceptMany = handle(acceptRequests, async (ctx, viewer, { id = [] }) => {
  await accept(ctx, viewer.id, id)
  return {}
})

/** Dismisses a notification request and deletes its filtered notifications. Responds 404 if it does not exist. */
export const dismissOne = handle(dismissRequest, async (ctx, viewer, { id }) => {
  if ((await dismiss(ctx, viewer.id, [id])) === 0) throw notFound()
  return {}
})

/** Dismisses several notification requests. Unknown ids are ignored. */
export const dismissMany = handle(dismissRequests, async (ctx, viewer, { id = [] }) => {
  await dismiss(ctx, viewer.id, id)
  return {}
})

/** Whether the notifications of all accepted requests are in the list of notifications now. */
export const merged = handle(requestsMerged, async (ctx, viewer) => ({ merged: !(await isMerging(ctx.db, viewer.id)) }))
