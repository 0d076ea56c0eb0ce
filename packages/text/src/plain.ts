/** HTML as plain text, for filters, search, push messages and excerpts. */

import { cleanText } from './escape.js'
import { attributeOf } from './html-attribute.js'
import { walkHtml } from './html-walk.js'

const PARAGRAPH = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'ul', 'ol', 'table'])
const LINE = new Set(['div', 'li', 'tr', 'td', 'th', 'dt', 'dd', 'section', 'article', 'hr'])

/**
 * Text of a document: decoded entities, descriptions of images, a blank line between paragraphs, a line end for `<br>` and list items. Content
 * of scripts, styles and frames is omitted. Text that style classes hide is included. Linear time; never throws.
 *
 * @example htmlToPlainText('<p>a &amp; b<br>c</p><p>d</p>') // 'a & b\nc\n\nd'
 */
export function htmlToPlainText(html: string): string {
  const parts: string[] = []
  let gap = 0
  let verbatim = false
  const breakLine = (lines: number) => {
    gap = Math.max(gap, lines)
  }
  const boundary = (name: string) => breakLine(PARAGRAPH.has(name) ? 2 : LINE.has(name) ? 1 : 0)
  const write = (text: string) => {
    if (gap > 0 && text.trim() === '') return
    if (gap > 0 && parts.length > 0) parts.push('\n'.repeat(Math.min(gap, 2)))
    gap = 0
    parts.push(verbatim ? text : text.replace(/\s+/g, ' '))
  }
  try {
    walkHtml(html, {
      open: (name, attributes) => {
        if (name === 'br') gap++
        else if (name === 'img') write(` ${attributeOf(attributes, 'alt') ?? ''} `)
        else boundary(name)
        verbatim ||= name === 'pre'
      },
      close: (name) => {
        boundary(name)
        if (name === 'pre') verbatim = false
      },
      text: write,
    })
  } catch {
    return ''
  }
  return cleanText(parts.join(''))
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Start of a text on one line, with at most `length` code points including the ellipsis. Grapheme clusters are not cut
 * apart.
 *
 * @example excerpt('one two three', 8) // 'one two…'
 */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const start = Array.from(line.slice(0, 2 * (length + 1)))
  if (start.length <= length) return line
  const room = start.slice(0, length - 1).join('').length
  const cut = clusters.segment(start.join('')).containing(room)?.index ?? room
  return `${line.slice(0, cut || room).trimEnd()}…`
}
