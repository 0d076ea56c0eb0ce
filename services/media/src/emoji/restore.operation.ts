/** Handler that undoes actions of staff on custom emoji, for the audit log. A deleted picture cannot be restored. */
import type { RestoreOutcome } from '@murmuration/contracts/admin'
import { emojiInvalidation, restoreEmoji } from '@murmuration/contracts/media'
import { restorationOf, stateIn } from '@murmuration/kernel'
import { z } from 'zod'
import { changeEmoji, lockEmoji, recordedOf } from '../core/emoji/store.js'
import { deleteFiles } from '../core/file/store-files.js'
import { handle } from '../handlers.js'
import { dropEmoji } from './drop.js'

const Recorded = z.object({
  disabled: z.boolean(),
  visible_in_picker: z.boolean(),
  category: z.string().nullable(),
  picture_id: z.string(),
})

export const restore = handle(restoreEmoji, async (ctx, _viewer, { targetId, before, after, dry }) => {
  const shortcode = targetId ?? ''
  const { outcome, gone } = await ctx.db.tx(async (tx): Promise<{ outcome: RestoreOutcome; gone: string[] }> => {
    const row = await lockEmoji(tx, shortcode)
    const current = stateIn(Recorded, row && recordedOf(row))
    const restoration = restorationOf(Recorded, { before, after }, current)
    if (typeof restoration === 'string') return { outcome: restoration, gone: [] }
    const { to } = restoration
    if (to !== null && to.picture_id !== row?.picture_id) return { outcome: 'picture_is_deleted', gone: [] }
    if (dry || row === null) return { outcome: 'restored', gone: [] }
    if (to === null) return { outcome: 'restored', gone: await dropEmoji(ctx, tx, row) }
    await changeEmoji(tx, { ...row, ...to }, ctx.clock.date())
    return { outcome: 'restored', gone: [] }
  })
  if (dry || outcome !== 'restored') return { outcome }
  await deleteFiles(ctx, gone)
  ctx.emojis.invalidate()
  ctx.invalidations.send(emojiInvalidation, [shortcode])
  return { outcome }
})
