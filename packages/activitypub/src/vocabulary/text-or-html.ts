/** Parses and writes texts that some servers send as plain text and others as HTML: content warnings, titles, poll options. */
import { htmlToPlainText } from '@murmuration/text'

const closing =
  /<(?:br\s*\/?|\/(?:p|a|b|i|u|s|em|strong|span|del|code|pre|blockquote|ul|ol|li|div|h[1-6]|ruby|rt|rp|small|sub|sup))>/i
const entity = /&(?:[a-z]{2,8}\d{0,2}|#\d{1,7}|#x[\da-f]{1,6});/i
const joined = /([<&])\u2060(?=[a-z/!?#])/gi

/**
 * The plain text of a line. A line with an entity, a `<br>` or an end tag is parsed as HTML. If that leaves no text, the line
 * is returned unchanged.
 *
 * @example lineText('a &lt; b') // 'a < b'
 * @example lineText('I <3 x') // 'I <3 x'
 */
export const lineText = (line: string): string => {
  const isHtml = closing.test(line) || entity.test(line)
  return ((isHtml && htmlToPlainText(line)) || line).replace(joined, '$1')
}

/**
 * Plain text in a form that looks the same whether a server treats it as text or as HTML. A word joiner (U+2060) is inserted
 * after each `<` and `&` that HTML would parse as a tag or an entity.
 */
export const lineForAll = (text: string): string =>
  text.replace(/<(?=[a-z/!?])|&(?=#\d|#x|[a-z]{2,8}\d{0,2};|(?:lt|gt|amp|quot|nbsp|copy|reg))/gi, '$&\u2060')
