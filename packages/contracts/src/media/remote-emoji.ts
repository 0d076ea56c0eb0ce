/**
 * Operations about custom emoji of other servers, which staff can copy, and about maintenance of custom emoji by
 * commands.
 */
import { z } from 'zod'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from '../admin/staff.js'
import { CustomEmoji } from '../entities/index.js'
import { flagOr, get, id, internal, operation, post, text, textOrNone } from '../kit/index.js'
import { limits } from '../limits.js'
import { Task } from '../task.js'
import { EmojiImage } from './emoji.js'

const PERMISSION = 'manage_custom_emojis'
const reads = staffReads(PERMISSION)
const writes = staffWrites(PERMISSION)
const Shortcode = text(limits.media.emojiShortcode.max)

/** A custom emoji of another server, as last used in a text known here. */
export const RemoteEmoji = z
  .strictObject({
    id: z.string(),
    shortcode: z.string(),
    domain: z.string(),
    url: z.string(),
    static_url: z.string(),
    /** True when an emoji of this server has the same shortcode. */
    taken: z.boolean(),
  })
  .meta({ id: 'RemoteEmoji', description: 'A custom emoji of another server, for staff.' })
export type RemoteEmoji = z.infer<typeof RemoteEmoji>

export const listRemoteEmojis = operation('media.remote-emoji.list', {
  http: get(`${STAFF_PREFIX}/custom_emojis/remote`),
  viewer: reads,
  class: 'admin',
  input: z.object({
    ...staffPage(),
    /** Prefix of the shortcodes that are searched. */
    q: textOrNone(limits.media.emojiShortcode.max).optional(),
    /** Domain of the emoji's server. */
    domain: textOrNone(300).optional(),
    /** True: only emoji with exactly the shortcode `q`, also in case, are found. */
    exact: flagOr(false),
  }),
  output: staffPageOf(RemoteEmoji, 'q', 'domain', 'exact'),
  errors: ['unprocessable'],
  about: 'Known custom emoji of other servers, newest first.',
})

export const copyRemoteEmoji = operation('media.remote-emoji.copy', {
  http: post(`${STAFF_PREFIX}/custom_emojis/remote/:id/copy`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    /** Shortcode of the copy on this server. If absent, the copy has the original shortcode. */
    shortcode: Shortcode.optional(),
    category: textOrNone(100).optional(),
    /** True: the picture of an existing emoji with the same shortcode is replaced. */
    overwrite: flagOr(false),
  }),
  output: CustomEmoji,
  errors: ['not_found', 'unprocessable'],
  about: 'Copies a custom emoji of another server to this one.',
})

export const checkEmoji = operation('media.emoji.check', {
  http: post(`${STAFF_PREFIX}/custom_emojis/check`),
  viewer: writes,
  class: 'admin',
  input: z.object({ shortcode: Shortcode, /** Picture in base64. */ image: EmojiImage }),
  output: z.object({ shortcode: z.string(), /** True when an emoji with this shortcode exists. */ taken: z.boolean() }),
  errors: ['unprocessable'],
  about: 'Validates picture and shortcode of a new custom emoji without adding it.',
})

export const emojiPicture = operation('media.emoji.picture', {
  http: get(`${STAFF_PREFIX}/custom_emojis/:shortcode/picture`),
  viewer: reads,
  class: 'admin',
  input: z.object({ shortcode: Shortcode }),
  output: z.object({ media_type: z.string(), /** Picture in base64. */ image: z.string() }),
  large: true,
  errors: ['not_found'],
  about: 'The picture of a custom emoji of this server.',
})

export const purgeEmojis = operation('media.emoji.purge', {
  http: post(`${STAFF_PREFIX}/custom_emojis/purge`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    /** True: only copies of remote emoji are removed. False: emoji of this server are removed, too. */
    remote_only: flagOr(false),
    /** Domain whose copied emoji are removed. If absent, the copies of all domains are removed. */
    domain: textOrNone(300).optional(),
    dry_run: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about:
    'Starts a task that removes custom emoji of this server and copies of remote ones. Copies are fetched again when a user views them.',
})

export const deleteRemoteEmoji = operation('media.remote-emoji.forget', {
  viewer: internal(),
  class: 'write',
  repeatable: true,
  input: z.object({
    domain: z.string(),
    /** True: emoji of subdomains are included. */
    below: z.boolean(),
    dry_run: z.boolean(),
  }),
  output: z.object({ emojis: z.int() }),
  about: 'Deletes the custom emoji of a server whose accounts are removed, with their copies.',
})
