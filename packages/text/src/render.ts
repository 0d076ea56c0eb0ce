/** Renders the plain text of local accounts as HTML. */
import { cleanText, escapeHtml } from './escape.js'
import { handleKey } from './handle.js'
import { linkHtml, webUrl } from './link.js'
import { scan } from './scan.js'
import type { HashtagToken, MentionToken, Token } from './token.js'

/**
 * An account that a text may mention: profile address, username, and handle for display (`bob` or `bob@far.example`).
 * `ambiguous`: another account has the same username.
 */
export type MentionTarget = { url: string; username: string; acct: string; ambiguous?: boolean }

/** Mentioned accounts, tag pages and own domains, for rendering. */
export type RenderContext = {
  /** Known accounts by `handleKey`. Mentions of unknown accounts stay text. */
  mentions: ReadonlyMap<string, MentionTarget>
  /** Returns the URL of the page of a hashtag, by the normalised name of the tag. */
  tagUrl: (name: string) => string
  /** Domains of this server, as for `handleKey`. A mention `@bob@domain` with one of them means the same account as `@bob`. */
  handleDomains: ReadonlySet<string>
}

/**
 * HTML of a status: paragraphs at blank lines, `<br />` at line ends, markup for links, mentions and hashtags.
 * Everything else is escaped. An empty text gives an empty string.
 *
 * @example renderStatusHtml('a\n\nb', context) // '<p>a</p><p>b</p>'
 */
export function renderStatusHtml(text: string, context: RenderContext): string {
  return inlineHtml(cleanText(text), context, false)
    .split(/\n{2,}/)
    .map((part) => part.replace(/^\n|\n$/g, ''))
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${part.replaceAll('\n', '<br />')}</p>`)
    .join('')
}

/** HTML of a profile's bio, by the same rules as a status. */
export const renderBioHtml = renderStatusHtml

/** HTML of a profile field: one line without a paragraph, links with `rel=me`, full handles. */
export const renderFieldHtml = (text: string, context: RenderContext): string =>
  inlineHtml(cleanText(text).replace(/\n+/g, ' '), context, true)

function inlineHtml(text: string, context: RenderContext, field: boolean): string {
  const shared = sharedUsernames(context.mentions)
  const html = (token: Token): string => {
    if (token.kind === 'url') return linkHtml(token.url, { me: field })
    if (token.kind === 'hashtag') return hashtagHtml(token, context)
    const target = token.kind === 'mention' ? targetOf(token, context) : undefined
    if (!target) return escapeHtml(text.slice(token.start, token.end))
    const whole = field || target.ambiguous || shared.has(target.username.toLowerCase())
    return mentionHtml(target, whole ? target.acct : target.username)
  }
  return scan(text).map(html).join('')
}

const hashtagHtml = (tag: HashtagToken, context: RenderContext): string =>
  `<a href="${escapeHtml(context.tagUrl(tag.name))}" class="mention hashtag" rel="tag">#<span>${escapeHtml(tag.display)}</span></a>`

const mentionHtml = (target: MentionTarget, shown: string): string =>
  `<span class="h-card" translate="no"><a href="${escapeHtml(target.url)}" class="u-url mention">@<span>${escapeHtml(shown)}</span></a></span>`

/** The mentioned account; undefined if it is unknown or its profile has no web URL. */
function targetOf(token: MentionToken, context: RenderContext): MentionTarget | undefined {
  const target = context.mentions.get(handleKey(token, context.handleDomains))
  return target && webUrl(target.url) !== null ? target : undefined
}

/** Usernames that several mentioned accounts have, in lower case. */
function sharedUsernames(mentions: ReadonlyMap<string, MentionTarget>): Set<string> {
  const acctOf = new Map<string, string>()
  const shared = new Set<string>()
  for (const { username, acct } of mentions.values()) {
    const name = username.toLowerCase()
    if (acctOf.has(name) && acctOf.get(name) !== acct) shared.add(name)
    acctOf.set(name, acct)
  }
  return shared
}
