/** Handlers of custom emoji of this server. */

import { notFound } from '@murmuration/contracts/kit'
import {
  createEmoji,
  emojiInvalidation,
  emojiManaged,
  findEmojis,
  listAllEmojis,
  listEmojis,
  removeEmoji,
  updateEmoji,
} from '@murmuration/contracts/media'
import { changeEmoji, type EmojiRow, everyEmoji, lockEmoji, recordedOf } from '../core/emoji/store.js'
import { emojiOf } from '../core/emoji/view.js'
import { deleteFiles } from '../core/file/store-files.js'
import { handle } from '../handlers.js'
import { dropEmoji } from './drop.js'
import { addEmoji } from './put.js'

/** Adds a custom emoji, or replaces the picture of an existing one. */
export const create = handle(createEmoji, (ctx, viewer, { shortcode, image, category, ...input }) =>
  addEmoji(ctx, {
    by: viewer?.id ?? null,
    shortcode,
    bytes: Buffer.from(image, 'base64'),
    category,
    overwrite: input.overwrite,
    visible: input.visible_in_picker ?? undefined,
    disabled: input.disabled ?? undefined,
  }),
)

/** Returns the custom emoji of this server with these shortcodes. */
export const handleFindEmojis = handle(findEmojis, async (ctx, _viewer, { shortcodes }) => {
  const wanted = new Set(shortcodes)
  const found = (await ctx.emojis()).filter((row) => wanted.has(row.shortcode))
  return {
    emojis: found.map((row) => {
      const { shortcode, url, static_url } = emojiOf(ctx, row)
      return { shortcode, url, static_url }
    }),
  }
})

/** Returns the custom emoji that clients offer in the picker. */
export const list = handle(listEmojis, async (ctx) =>
  (await ctx.emojis()).filter((row) => row.visible_in_picker).map((row) => emojiOf(ctx, row)),
)

/** Name of the change in the audit log. */
const actionOf = (before: EmojiRow, after: EmojiRow) =>
  before.disabled === after.disabled
    ? ('update_custom_emoji' as const)
    : (`${after.disabled ? 'disable' : 'enable'}_custom_emoji` as const)

export const update = handle(updateEmoji, async (ctx, viewer, { shortcode, ...input }) => {
  const after = await ctx.db.tx(async (tx) => {
    const before = await lockEmoji(tx, shortcode)
    if (!before) throw notFound()
    const after = {
      ...before,
      disabled: input.disabled ?? before.disabled,
      visible_in_picker: input.visible_in_picker ?? before.visible_in_picker,
      category: input.category === undefined ? before.category : input.category,
    }
    await changeEmoji(tx, after, ctx.clock.date())
    await ctx.announce(tx, emojiManaged, {
      by: viewer?.id ?? null,
      action: actionOf(before, after),
      targetId: shortcode,
      target: shortcode,
      before: recordedOf(before),
      after: recordedOf(after),
    })
    return after
  })
  ctx.emojis.invalidate()
  ctx.invalidations.send(emojiInvalidation, [shortcode])
  return emojiOf(ctx, after)
})

/** Removes a custom emoji with its files. */
export const remove = handle(removeEmoji, async (ctx, viewer, { shortcode }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const row = await lockEmoji(tx, shortcode)
    if (!row) throw notFound()
    const files = await dropEmoji(ctx, tx, row)
    await ctx.announce(tx, emojiManaged, {
      by: viewer?.id ?? null,
      action: 'destroy_custom_emoji',
      targetId: shortcode,
      target: shortcode,
      before: recordedOf(row),
      after: null,
    })
    return files
  })
  await deleteFiles(ctx, gone)
  ctx.emojis.invalidate()
  ctx.invalidations.send(emojiInvalidation, [shortcode])
  return {}
})

/** Returns all custom emoji for staff, also disabled ones. */
export const listAll = handle(listAllEmojis, async (ctx) =>
  (await everyEmoji(ctx.db)).map((row) => ({ ...emojiOf(ctx, row), disabled: row.disabled })),
)
