/** Adds a custom emoji, or gives one of the same name another picture. */
import { emojiCreate } from '@murmuration/contracts/media'
import { addEmoji } from '../../changes/put-emoji.js'
import { handle } from '../../doors.js'

export const createEmoji = handle(emojiCreate, (ctx, viewer, { shortcode, image, category, ...input }) =>
  addEmoji(ctx, {
    by: viewer?.id ?? null,
    shortcode,
    bytes: Buffer.from(image, 'base64'),
    category,
    overwrite: input.overwrite,
    visible: input.visible_in_picker ?? undefined,
  }),
)
