/** Emoji reactions to a status as HTML. */
import type { EmojiReaction, Status } from '@murmuration/contracts/entities'
import { type Html, html } from '../html.js'
import { t } from '../language.js'
import { customEmoji } from '../rich-text.js'
import { numberOf } from './time.js'

/** The emoji of a reaction; a custom emoji as an image. */
const emojiOf = ({ name, url, static_url = url }: EmojiReaction): Html =>
  static_url === undefined ? html`${name}` : customEmoji({ shortcode: name, static_url })

/** Emoji in a sentence, separated by spaces. */
export const emojiList = (reactions: readonly EmojiReaction[]): Html =>
  html`${reactions.map((one, i) => html`${i > 0 && ' '}${emojiOf(one)}`)}`

/** A list of the emoji reactions to a status with their counts; empty if there are none. */
export const reactionList = ({ emoji_reactions: reactions = [] }: Pick<Status, 'emoji_reactions'>): Html | '' =>
  reactions.length === 0
    ? ''
    : html`<ul class="reactions" aria-label="${t('Reactions')}">${reactions.map((one) => html`<li>${emojiOf(one)} <span class="muted">${numberOf(one.count)}</span></li>`)}</ul>`
