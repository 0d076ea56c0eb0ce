/** Handlers that return statuses to readers. */

import { errorText, fail, jsonArray } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import {
  listStatuses,
  showHistory as showHistoryOperation,
  showStatus,
  sourceOfStatus,
} from '@murmuration/contracts/statuses'
import { htmlToPlainText } from '@murmuration/text'
import { showNamed, showNamedStatus } from '../core/render/show-status.js'
import { rowOf } from '../core/status/store.js'
import { noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { historyOf } from './history.js'

/** Returns one status that the viewer may see. */
export const show = handle(showStatus, (ctx, viewer, { id }) => showNamedStatus(ctx, viewer?.id ?? null, id))

/** Several statuses by id, in the order of the request. Statuses that the viewer may not see are omitted. */
export const list = handle(listStatuses, async (ctx, viewer, { id: ids = [] }) => {
  const max = limits.statuses.maxFetched
  if (ids.length > max) throw fail('unprocessable', errorText('Too many ids (maximum is {most})', { most: max }))
  return jsonArray([...(await showNamed(ctx, viewer?.id ?? null, ids)).values()])
})

/** Source text of a status: as typed for a local one, plain text for a remote one. */
export const source = handle(sourceOfStatus, async (ctx, viewer, { id }) => {
  await visibleStatus(ctx, viewer.id, id)
  const row = await rowOf(ctx.db, id)
  if (!row) throw noStatus()
  return { id, text: row.local ? row.text : htmlToPlainText(row.html), spoiler_text: row.spoiler_text }
})

/** All versions of a status, oldest first. */
export const showHistory = handle(showHistoryOperation, async (ctx, viewer, { id }) => {
  const { original } = await visibleStatus(ctx, viewer?.id ?? null, id)
  const row = await rowOf(ctx.db, original.id)
  if (!row) throw noStatus()
  return jsonArray(await historyOf(ctx, viewer?.id ?? null, row))
})
