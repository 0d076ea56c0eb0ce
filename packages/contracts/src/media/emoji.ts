/**
 * Operations and events about custom emoji of this server: the public list, the emoji in texts, and management by staff
 * and operators.
 */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffReads, staffRestore, staffWrites } from '../admin/staff.js'
import { OwnEmoji } from '../content.js'
import { CustomEmoji } from '../entities/index.js'
import {
  anyone,
  del,
  event,
  flag,
  flagOr,
  get,
  internal,
  invalidation,
  nothing,
  operation,
  post,
  put,
  text,
} from '../kit/index.js'
import { limits } from '../limits.js'

export const listEmojis = operation('media.emoji.list', {
  http: get('/api/v1/custom_emojis'),
  viewer: anyone(),
  input: z.object({}),
  output: z.array(CustomEmoji),
  cache: 'instance',
  large: true,
  about: 'Custom emoji of this server that users can pick.',
})

const Shortcode = text(limits.media.emojiShortcode.max)
const writes = staffWrites('manage_custom_emojis')
const Category = z.union([z.null(), text(100)])
/** Base64 of an uploaded picture. Any that fits into a message is accepted here, so that the error for a large file names the limit. */
export const EmojiImage = z.base64().max(900_000)

/** A custom emoji of this server, as staff manages it. */
export const StaffEmoji = z
  .strictObject({ ...CustomEmoji.shape, disabled: z.boolean() })
  .meta({ id: 'StaffEmoji', description: 'A custom emoji, for staff.' })
export type StaffEmoji = z.infer<typeof StaffEmoji>

export const listAllEmojis = operation('media.emoji.list-all', {
  http: get(`${STAFF_PREFIX}/custom_emojis`),
  viewer: staffReads('manage_custom_emojis'),
  class: 'admin',
  input: nothing(),
  output: z.array(StaffEmoji),
  large: true,
  about: 'All custom emoji of this server by category and name, including disabled ones.',
})

export const findEmojis = operation('media.emoji.find', {
  viewer: internal(),
  input: z.object({
    /** They may be longer than allowed for an emoji, because they are read from texts. */
    shortcodes: z.array(text(2_048)).max(200),
  }),
  output: z.object({ emojis: z.array(OwnEmoji) }),
  about: 'Those of the given shortcodes that are enabled custom emoji of this server.',
})

export const createEmoji = operation('media.emoji.create', {
  http: post(`${STAFF_PREFIX}/custom_emojis`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    shortcode: Shortcode,
    /** Picture of the emoji in base64: PNG, GIF, WebP or JPEG. */
    image: EmojiImage,
    category: Category.default(null),
    /** False: the request is refused if an emoji with the shortcode exists. */
    overwrite: flagOr(true),
    /** Whether clients show the emoji in their pickers. If absent: true for a new emoji. */
    visible_in_picker: flag(),
    /** Whether the emoji is hidden everywhere. If absent: false for a new emoji. */
    disabled: flag(),
  }),
  output: CustomEmoji,
  errors: ['unprocessable'],
  about: 'Adds a custom emoji. An existing one with the same name is replaced unless `overwrite` is false.',
})

export const updateEmoji = operation('media.emoji.update', {
  http: put(`${STAFF_PREFIX}/custom_emojis/:shortcode`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    shortcode: Shortcode,
    disabled: flag(),
    /** True if clients show the emoji in their pickers. */
    visible_in_picker: flag(),
    category: Category.optional(),
  }),
  output: CustomEmoji,
  errors: ['not_found'],
  about: 'Changes category and visibility of a custom emoji. Absent members stay unchanged.',
})

export const removeEmoji = operation('media.emoji.remove', {
  http: del(`${STAFF_PREFIX}/custom_emojis/:shortcode`),
  viewer: writes,
  class: 'admin',
  input: z.object({ shortcode: Shortcode }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a custom emoji. Texts that use it show its shortcode.',
})

export const emojiManaged = event('media.emoji.managed', {
  data: StaffAct,
  about: 'Staff added, changed or removed a custom emoji.',
})

export const emojiInvalidation = invalidation('media.emoji', 'Custom emoji changed.')

export const restoreEmoji = staffRestore('media.emoji.restore', 'Undoes an action of staff on a custom emoji.')
