/** Sanitises untrusted HTML: rebuilt tag by tag from an allow-list, never passed on. */

import { type Attributes, attributeOf } from './html-attribute.js'
import { RULES, SEPARATING, safeHref } from './html-rules.js'
import { type HtmlVisitor, walkHtml } from './html-walk.js'
import { type HtmlWriter, htmlWriter } from './html-writer.js'

/** Maximum size of sanitised content, in bytes of UTF-8. */
export const MAX_CONTENT = 100_000

const MAX_DEPTH = 256
const HEADING = 'heading'
const CONTAINERS = new Set(['ul', 'ol', 'blockquote', 'pre'])
const REFUSED_LINK = 'a refused'

/**
 * Remote HTML reduced to the allow-list. Linear time, idempotent, well nested; unreadable input gives ''.
 * - Allowed elements keep allowed attributes. Links keep safe schemes and get a fixed `rel` and `target`.
 * - Headings become bold paragraphs; formulas become text.
 * - Other elements are removed and their text stays. Scripts, styles and frames are removed with their content.
 *
 * @example sanitiseRemoteHtml('<p onclick="x()">a<script>b</script></p>') // '<p>a</p>'
 * @param maxLength maximum bytes of UTF-8; longer content is cut and its elements are closed
 */
export function sanitiseRemoteHtml(html: string, { maxLength = MAX_CONTENT }: { maxLength?: number } = {}): string {
  try {
    const writer = htmlWriter(maxLength)
    walkHtml(html, cleaner(writer))
    return writer.end()
  } catch {
    return ''
  }
}

function cleaner(writer: HtmlWriter): HtmlVisitor {
  let separated = false
  return {
    open: (name, attributes) => {
      const rule = RULES.get(name)
      separated = rule
        ? separated && (rule.kind === 'inline' || rule.kind === 'ruby')
        : separated || SEPARATING.has(name)
      if (!rule) return
      closeBefore(name, writer)
      if (rule.kind === 'void') writer.single(rule.open(attributes))
      else if (writer.frames.length < MAX_DEPTH) openElement(name, attributes, writer)
    },
    close: (name) => {
      separated ||= SEPARATING.has(name)
      const at = closedBy(name, writer)
      if (at >= 0) writer.closeTo(at)
    },
    text: (text) => {
      writer.text(text, separated)
      separated = false
    },
  }
}

/** Name under which an open element is recorded. Headings of all levels have the same name. */
const frameName = (name: string): string => (/^h[1-6]$/.test(name) ? HEADING : name)

/** Opens an element. A link with an unsafe address is only recorded as open. */
function openElement(name: string, attributes: Attributes, writer: HtmlWriter): void {
  const { open, close } = RULES.get(name)!
  const href = name === 'a' ? attributeOf(attributes, 'href') : undefined
  if (name !== 'a' || safeHref(href) !== null) {
    writer.open(frameName(name), open(shownIn(writer, attributes)), close)
  } else if (href !== undefined) writer.open(REFUSED_LINK, '', '')
}

/**
 * Attributes of an element that are kept. Within a refused link, classes are removed, so that its text is neither
 * hidden nor styled.
 */
const shownIn = (writer: HtmlWriter, attributes: Attributes): Attributes =>
  writer.isOpen(REFUSED_LINK) ? attributes.filter(({ name }) => name !== 'class') : attributes

/** Closes elements that cannot contain the next element, like a browser. */
function closeBefore(name: string, writer: HtmlWriter): void {
  const kind = RULES.get(name)?.kind
  if (kind === 'item') closeNearest(writer, ['li'], CONTAINERS)
  if (kind === 'block' || kind === 'item') {
    closeNearest(writer, ['p', HEADING], NOTHING)
    while (writer.isOpen('ruby')) closeNearest(writer, ['ruby'], NOTHING)
  }
  if (kind === 'ruby') closeNearest(writer, ['rt', 'rp'], RUBY_ENDS)
  if (name === 'a') closeNearest(writer, ['a', REFUSED_LINK], NOTHING)
}

const NOTHING: ReadonlySet<string> = new Set()
const RUBY_ENDS = new Set([...CONTAINERS, 'p', HEADING, 'li', 'ruby'])

/**
 * Closes the innermost open element with one of `names`, and everything in it, unless a barrier element is open inside.
 */
function closeNearest(writer: HtmlWriter, names: string[], barrier: ReadonlySet<string>): void {
  if (!names.some(writer.isOpen)) return
  for (let at = writer.frames.length - 1; at >= 0; at--) {
    const { name } = writer.frames[at]!
    if (names.includes(name)) writer.closeTo(at)
    if (names.includes(name) || barrier.has(name)) return
  }
}

/**
 * Index of the open element that an end tag closes; -1 if none. Inline elements end at the list or quote that contains
 * them.
 */
function closedBy(name: string, writer: HtmlWriter): number {
  const kind = RULES.get(name)?.kind
  const names = name === 'a' ? ['a', REFUSED_LINK] : [frameName(name)]
  if (kind === undefined || !names.some(writer.isOpen)) return -1
  for (let at = writer.frames.length - 1; at >= 0; at--) {
    const open = writer.frames[at]!.name
    if (names.includes(open)) return at
    if (kind !== 'block' && (CONTAINERS.has(open) || (kind !== 'item' && open === 'li'))) return -1
  }
  return -1
}
