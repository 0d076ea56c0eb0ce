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

/** Senders who wait for a decision, newest first. */
export const listThem = handle(listRequests, async (ctx, viewer, page) => {
  const rows = newestFirst(await requestPage(ctx.db, viewer.id, page), page)
  const ids = rows.map((row) => row.id)
  return pageReply(listRequests.output, await renderRequests(ctx, viewer.id, rows), endsOf(ids, page))
})

/** One sender who waits for a decision. */
export const show = handle(showRequest, async (ctx, viewer, { id }) => {
  const row = await requestById(ctx.db, viewer.id, id)
  const [text] = row ? await renderRequests(ctx, viewer.id, [row]) : []
  if (text === undefined) throw notFound()
  return text
})

/** Lets a sender through. */
export const acceptOne = handle(acceptRequest, async (ctx, viewer, { id }) => {
  if ((await accept(ctx, viewer.id, [id])) === 0) throw notFound()
  return {}
})

/** Lets several senders through; unknown requests are ignored. */
export const acceptMany = handle(acceptRequests, async (ctx, viewer, { id = [] }) => {
  await accept(ctx, viewer.id, id)
  return {}
})

/** Removes a request and the notifications that it holds. */
export const dismissOne = handle(dismissRequest, async (ctx, viewer, { id }) => {
  if ((await dismiss(ctx, viewer.id, [id])) === 0) throw notFound()
  return {}
})

/** Removes several requests; unknown ones are ignored. */
export const dismissMany = handle(dismissRequests, async (ctx, viewer, { id = [] }) => {
  await dismiss(ctx, viewer.id, id)
  return {}
})

/** Whether everything that accepted requests held is in the list by now. */
export const merged = handle(requestsMerged, async (ctx, viewer) => ({ merged: !(await isMerging(ctx.db, viewer.id)) }))
