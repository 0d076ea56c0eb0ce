/**
 * `GET /emojis/:shortcode`: a custom emoji of this server, served without a signature also if documents require one.
 */

import { activityStreams, noteContext } from '@murmuration/activitypub/vocabulary/context'
import { writeEmoji } from '@murmuration/activitypub/vocabulary/write-tag'
import { showEmoji } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { findEmojis } from '@murmuration/contracts/media'
import { emojiSources } from '../core/note/emoji.view.js'
import { readIncoming } from '../core/signature/incoming.js'
import { handle } from '../handlers.js'
import { MAX_AGE_SECONDS, openResponse } from './response.js'

const { toot, Emoji } = noteContext[1] as Record<'toot' | 'Emoji', unknown>

export const emoji = handle(showEmoji, async (ctx, _viewer, input) => {
  const shortcode = readIncoming(input).param('shortcode') ?? ''
  if (!/^\w+$/.test(shortcode) || shortcode.length > limits.media.emojiShortcode.max) throw notFound()
  const { emojis } = await ctx.call(findEmojis, { shortcodes: [shortcode] })
  const [source] = emojiSources(
    emojis.filter((one) => one.shortcode === shortcode),
    ctx.site.origin,
  )
  if (source === undefined) throw notFound()
  const document = { '@context': [activityStreams, { toot, Emoji }], ...writeEmoji(source) }
  return openResponse(JSON.stringify(document), MAX_AGE_SECONDS.document)
})
