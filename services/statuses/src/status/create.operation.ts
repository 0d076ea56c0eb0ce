/** Handler that posts or schedules a status (S-014). */
import type { ScheduledStatus, Status } from '@murmuration/contracts/entities'
import { reply } from '@murmuration/contracts/kit'
import { createStatus } from '@murmuration/contracts/statuses'
import { applicationOf, compose, createOnce, showNew } from '../compose/index.js'
import type { Context } from '../context.js'
import { showStatus } from '../core/render/show-status.js'
import { statusOfKey } from '../core/status/idempotency.store.js'
import { addToOwnHome } from '../feed/index.js'
import { handle } from '../handlers.js'
import { readSchedule, schedule, scheduledOf, scheduledText } from '../scheduled/index.js'

/** Response to a repeated request: the status that the first one created. */
const replay = async (ctx: Context, author: string, id: string) => {
  const waiting = await scheduledOf(ctx.db, author, id)
  const unchanged = { headers: { 'X-Unchanged': '1' } }
  return waiting
    ? reply<Status | ScheduledStatus>(await scheduledText(ctx, waiting), unchanged)
    : reply<Status | ScheduledStatus>(await showStatus(ctx, author, id), unchanged)
}

export const create = handle(createStatus, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey
  const known = key === null ? null : await statusOfKey(ctx.db, viewer.id, key)
  if (known !== null) return replay(ctx, viewer.id, known)
  const application = applicationOf(ctx, request)
  const [composed] = await Promise.all([
    compose(ctx, viewer.id, input, { locale: request.locale, application }),
    // Loads the author's card while the status is composed, so that the response does not wait for it.
    ctx.accountCards.many([viewer.id]),
  ])
  // A missing parent or quoted status is reported before an invalid time.
  const at = input.scheduled_at ? readSchedule(input.scheduled_at, ctx.clock.now()) : null
  if (at !== null) {
    const appId = request.caller?.app?.id ?? null
    const kept = await schedule(ctx, viewer.id, input, composed, {
      at,
      key,
      appId,
      application: await application,
    })
    return typeof kept === 'string' ? replay(ctx, viewer.id, kept) : scheduledText(ctx, kept)
  }
  const { id, full } = await createOnce(ctx, viewer.id, composed, { key })
  if (full === null) return replay(ctx, viewer.id, id)
  const [text] = await Promise.all([
    showNew(ctx, full, composed.author),
    addToOwnHome(ctx, viewer.id, { id, original: null }),
  ])
  return text
})
