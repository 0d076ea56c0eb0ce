/**
 * Text of local and remote accounts: parsing, counting, rendering, sanitising, languages and names. All functions are
 * pure, take linear time, and never throw.
 */

export { wantsJson, wantsPage } from './accept.js'
export { displayDomain, normaliseDomain } from './domain.js'
export { asciiEmail, MAX_EMAIL } from './email.js'
export { type Embed, oembedFrame } from './embed.js'
export { cleanText, escapeAttribute, escapeHtml, escapeText } from './escape.js'
export { hashtagsIn, mentionsIn, rewriteMentions, shortcodesIn, urlsIn } from './extract.js'
export { compileFilters, type FilterKeyword, type FilterMatch } from './filter.js'
export { firstLink } from './first-link.js'
export { type Handle, handleKey, LOCAL_USERNAME, parseHandle, REMOTE_USERNAME } from './handle.js'
export { type Attributes, attributeOf } from './html-attribute.js'
export { type HtmlVisitor, MAX_HTML, walkHtml } from './html-walk.js'
export { languages, pickLanguage, supportedLanguage } from './language.js'
export { LANGUAGES } from './language-table.js'
export { graphemeLength, statusLength, URL_LENGTH } from './length.js'
export { linkHtml, quoteInlinePrefix, webUrl, withoutQuoteLine } from './link.js'
export { type PageMetadata, pageMetadata } from './page-metadata.js'
export { excerpt, htmlToPlainText } from './plain.js'
export { readTime } from './read-time.js'
export { registeredDomain } from './registered-domain.js'
export { remoteAddress } from './remote-address.js'
export { type MentionTarget, type RenderContext, renderBioHtml, renderFieldHtml, renderStatusHtml } from './render.js'
export { MAX_CONTENT, sanitiseRemoteHtml } from './sanitise.js'
export { scan } from './scan.js'
export {
  earlierPhraseTerms,
  earlierPrefixPhrases,
  foldText,
  indexTerms,
  nameTerms,
  phraseTerms,
  prefixPhrases,
} from './search-terms.js'
export { isValidTag, normaliseTag } from './tag.js'
export type { HashtagToken, MentionToken, ShortcodeToken, TextToken, Token, UrlToken } from './token.js'
export { foldUsername, RESERVED_IN_USERNAMES, RESERVED_USERNAMES, reservedUsername } from './username.js'
