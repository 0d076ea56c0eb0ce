/** Parses and writes texts that some servers send as plain text and others as HTML: content warnings, titles, poll options. */
import { htmlToPlainText } from '@murmuration/text'

/** HTML block elements, which begin a new line. */
const BLOCKS =
  'p|div|pre|blockquote|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody|tr|td|th|section|article|header|footer|main|aside|figure|figcaption|details|summary|html|body'
/**
 * HTML elements within a line. Names of one letter (`LETTERS`) are separate, because they may be part of a formula,
 * such as `a<b>c`.
 */
const WORDS =
  'em|strong|span|del|ins|code|small|big|sub|sup|mark|ruby|rt|rp|cite|abbr|kbd|samp|var|tt|font|center|strike|time|bdi|bdo|img|video|audio|picture|script|style'
const LETTERS = 'a|b|i|u|s|q'
const ANY = `${BLOCKS}|${WORDS}|${LETTERS}`

/**
 * Certain signs that a line is HTML. A line with a certain sign but without text, such as `<br>`, is parsed to an empty
 * text.
 */
const certain = new RegExp(
  [
    '<(?:br|hr|wbr)\\s*/?>',
    `</(?:${BLOCKS})\\s*>`,
    `<(?:${ANY}|br|hr|wbr)\\s+[a-z_:@][\\w:.-]*\\s*=[^<>]*>`,
    `<(?:${ANY})\\s*/>`,
    '<!doctype\\s[^<>]*>|<!\\[cdata\\[|<\\?xml\\s[^<>]*>',
    `^\\s*<(?:${BLOCKS})>|\\S<(?:${BLOCKS})>|<(?:${BLOCKS})>(?=\\S)`,
  ].join('|'),
  'i',
)
/**
 * Likely signs that a line is HTML. A line with a likely sign but without text, such as `<b></b>`, is shown unchanged.
 */
const likely = new RegExp(`</(?:${ANY})\\s*>|<(?:${WORDS})>(?=\\S)|^\\s*<(?:${LETTERS})>(?=\\S)`, 'i')
const entity = /&(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/gi
const joined = /([<&])\u2060(?=[a-z/!?#])/gi

/** True for a line with a character reference that HTML decodes. */
const hasEntity = (line: string): boolean => {
  const found = (line.match(entity) ?? []).join('')
  return found !== '' && htmlToPlainText(found) !== found
}

/** True for a line with a whole HTML comment. A regular expression would take quadratic time. */
const hasComment = (line: string): boolean => {
  const start = line.indexOf('<!--')
  return start >= 0 && line.includes('-->', start + 4)
}

const isCertain = (line: string): boolean => certain.test(line) || hasEntity(line) || hasComment(line)

/**
 * True for a line that was written as HTML: with an entity, a comment, or a tag. A lone opening tag between spaces is text.
 *
 * @example isHtmlLine('about <img> elements') // false
 * @example isHtmlLine('<img alt=":cat:"> and more') // true
 */
export const isHtmlLine = (line: string): boolean => isCertain(line) || likely.test(line)

/**
 * The plain text of a one-line property, such as a name. HTML is parsed (see `isHtmlLine`), and an image is replaced by
 * its description. A line of empty elements, such as `<b></b>`, is returned unchanged.
 *
 * @example lineText('a &lt; b') // 'a < b'
 * @example lineText('I <3 x') // 'I <3 x'
 */
export const lineText = (line: string): string => {
  const isSure = isCertain(line)
  const text = isSure || likely.test(line) ? htmlToPlainText(line) : line
  return lineFromAll(text || (isSure ? '' : line))
}

/** Names of character references that HTML parses even without a semicolon, such as `&amp`. */
const LEGACY =
  'lt|gt|amp|quot|nbsp|copy|reg|iexcl|iquest|cent|pound|curren|yen|brvbar|sect|uml|ord[fm]|[lr]aquo|not|shy|macr|deg|plusmn|sup[123]|acute|micro|para|middot|cedil|frac(?:12|14|34)|times|divide|szlig|eth|thorn|aelig|oslash|ccedil|[an]tilde|otilde|aring|[aeiouy](?:acute|uml)|[aeiou](?:grave|circ)'
const bare = new RegExp(`<(?=[a-z/!?])|&(?=#\\d|#x|[a-z][a-z\\d]{1,31};|(?:${LEGACY}))`, 'gi')

/**
 * Plain text in a form that looks the same whether a server treats it as text or as HTML. A word joiner (U+2060) is inserted
 * after each `<` and `&` that HTML would parse as a tag or an entity.
 */
export const lineForAll = (text: string): string => text.replace(bare, '$&\u2060')

/** The text that `lineForAll` was called with. */
export const lineFromAll = (line: string): string => line.replace(joined, '$1')
