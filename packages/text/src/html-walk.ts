/** Reads untrusted HTML as a stream of tags and texts, in linear time and bounded memory. */
import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import type { Attributes } from './html-attribute.js'
import { type MathReader, mathReader } from './html-math.js'

/** Callbacks for the tags and text of a document, called in document order. */
export type HtmlVisitor = {
  open: (name: string, attributes: Attributes) => void
  close: (name: string) => void
  text: (text: string) => void
}

/** Default length limit in UTF-16 units; the rest of a document is ignored. */
export const MAX_HTML = 262_144

// Elements whose content is not part of the document, each with the tokenizer state that finds its end tag.
const DROPPED: Readonly<Record<string, Tokenizer['state']>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  plaintext: TokenizerMode.PLAINTEXT,
}

/**
 * Walks a document. Comments and the content of scripts, styles and frames are omitted. Formulas become text.
 *
 * NOTE: this uses only the parser's tokenizer. The tree that the HTML standard builds can be a hundred times larger
 * than the text, because formatting elements are repeated in every paragraph. Without a limit, 90 kB of HTML could
 * exhaust the memory.
 */
export function walkHtml(html: string, visitor: HtmlVisitor, max = MAX_HTML): void {
  let dropping: string | undefined
  let math: MathReader | undefined
  const text = (token: Token.CharacterToken) => {
    if (dropping !== undefined) return
    if (math) math.text(token.chars)
    else visitor.text(token.chars)
  }
  const endMath = () => {
    const formula = math?.result()
    math = undefined
    if (formula) visitor.text(formula)
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: ({ tagName, attrs, selfClosing }) => {
        if (math?.endsAt(tagName)) endMath()
        if (!math && tagName === 'math' && !selfClosing) math = mathReader(attrs)
        else if (math) math.open(tagName, attrs, selfClosing)
        else visitor.open(tagName, attrs)
        const state = Object.hasOwn(DROPPED, tagName) ? DROPPED[tagName] : undefined
        if (state === undefined) {
          if (tagName === 'textarea') tokenizer.state = TokenizerMode.RCDATA
          return
        }
        dropping = tagName
        tokenizer.state = state
      },
      onEndTag: ({ tagName }) => {
        if (dropping !== undefined) {
          dropping = undefined
          if (!math) visitor.close(tagName)
          return
        }
        if (math?.endsAt(tagName) || math?.close(tagName)) endMath()
        if (!math && tagName !== 'math') visitor.close(tagName)
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: endMath,
    },
  )
  tokenizer.write(html.slice(0, max).toWellFormed(), true)
}
