/** Renders the text of a new status with canonical handles and hashtags, and loads the custom emoji that it uses. */
import { findEmojis } from '@murmuration/contracts/media'
import { requireLoaded } from '@murmuration/kernel'
import {
  hashtagsIn,
  quoteInlinePrefix,
  renderStatusHtml,
  rewriteMentions,
  shortcodesIn,
  statusLength,
} from '@murmuration/text'
import type { Context } from '../context.js'
import { tagUrl } from '../core/address/rules.js'
import type { Draft } from '../core/status/draft.rules.js'
import type { Emoji } from '../core/status/store.js'
import { checkUsable } from '../core/tag/rules.js'
import { type TagName, unusableAmong } from '../core/tag/store.js'
import type { Mentioned } from './mention.js'

/**
 * Renders typed text: canonical handles, hashtags and HTML.
 * @param quotedUrl page of the quoted status, linked first for clients and servers without quotes
 */
export const writeText = (ctx: Context, typed: string, mentioned: Mentioned, quotedUrl: string | null = null) => {
  const { origin, handleDomains } = ctx.site
  const text = rewriteMentions(typed, mentioned.accts, handleDomains)
  const html = renderStatusHtml(text, {
    mentions: mentioned.targets,
    tagUrl: (name) => tagUrl(origin, name),
    handleDomains,
  })
  const prefix = quotedUrl === null ? '' : quoteInlinePrefix(quotedUrl, text)
  return { text, html: prefix + html, tags: hashtagsIn(text) }
}

/**
 * Maximum number of characters of a local status with these texts, which are measured as stored. Throws `unavailable` for
 * longer texts while the instance policy is not loaded, because staff may permit more than the default. A lower limit
 * set by staff applies only once the policy is loaded.
 */
export const characterLimit = (
  ctx: Pick<Context, 'policy'>,
  { text, spoiler }: Pick<Draft, 'text' | 'spoiler'>,
): number => {
  const { max_characters } = ctx.policy.settings()
  if (statusLength(text, spoiler) > max_characters) requireLoaded(ctx.policy)
  return max_characters
}

/** Throws if staff made one of these hashtags unusable. */
export const refuseUnusable = async (ctx: Pick<Context, 'db'>, tags: readonly TagName[]): Promise<void> =>
  checkUsable(
    await unusableAmong(
      ctx.db,
      tags.map((tag) => tag.name),
    ),
  )

const MAX_EMOJIS = 100

/** Local custom emoji that the texts use, at most 100 shortcodes. Texts without shortcodes cause no request. */
export const emojisIn = async (ctx: Context, texts: readonly string[]): Promise<Emoji[]> => {
  const shortcodes = [...new Set(texts.flatMap(shortcodesIn))].slice(0, MAX_EMOJIS)
  return shortcodes.length === 0 ? [] : (await ctx.call(findEmojis, { shortcodes })).emojis
}
