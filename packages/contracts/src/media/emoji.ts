/** Custom emoji of this server: listed for pickers, found for texts, kept by operators. */
import { z } from 'zod'
import { OwnEmoji } from '../content.js'
import { CustomEmoji } from '../entities/index.js'
import { anyone, get, hint, internal, operation } from '../kit/index.js'

export const emojiList = operation('media.emoji.list', {
  http: get('/api/v1/custom_emojis'),
  viewer: anyone(),
  input: z.object({}),
  output: z.array(CustomEmoji),
  cache: 'instance',
  large: true,
  about: 'Custom emoji of this server that people may pick.',
})

const Shortcode = z.string().max(100)

export const emojiFind = operation('media.emoji.find', {
  viewer: internal(),
  input: z.object({ shortcodes: z.array(Shortcode).max(200) }),
  output: z.object({ emojis: z.array(OwnEmoji) }),
  about: 'Those of these shortcodes that are emoji of this server and not disabled.',
})

export const emojiCreate = operation('media.emoji.create', {
  viewer: internal(),
  class: 'upload',
  input: z.object({
    shortcode: Shortcode,
    /** The picture in base64: PNG, GIF, WebP or JPEG. */
    image: z.base64().max(400_000),
    category: z.string().max(100).nullable().default(null),
  }),
  output: CustomEmoji,
  errors: ['unprocessable'],
  about: 'Adds a custom emoji; one of the same name is replaced.',
})

export const emojiUpdate = operation('media.emoji.update', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    shortcode: Shortcode,
    disabled: z.boolean().optional(),
    /** In the pickers of clients. */
    visible_in_picker: z.boolean().optional(),
    category: z.string().max(100).nullable().optional(),
  }),
  output: CustomEmoji,
  errors: ['not_found'],
  about: 'Changes how an emoji is offered; absent members stay as they are.',
})

export const emojiRemove = operation('media.emoji.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ shortcode: Shortcode }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a custom emoji; texts that use it show its shortcode.',
})

export const emojiHint = hint('media.emoji', 'Custom emoji changed.')
