/** Reduces a MathML formula to its source text: TeX between dollar signs, or plain text (FEP-dc88). */
import { type Attributes, attributeOf } from './html-attribute.js'

/** Reads one formula. `walkHtml` passes tags and texts to the reader until the formula ends. */
export type MathReader = {
  open: (name: string, attributes: Attributes, selfClosing: boolean) => void
  /** Returns true if this end tag ends the formula. */
  close: (name: string) => boolean
  text: (text: string) => void
  /** Returns true for tags of ordinary content, which end an unclosed formula. */
  endsAt: (name: string) => boolean
  result: () => string
}

// Start and end tags that leave foreign content (HTML standard 13.2.6.5).
const ORDINARY = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ' +
    'ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

type Kind = 'tex' | 'plain' | 'other'

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['application/x-tex', 'tex'],
  ['text/plain', 'plain'],
])

/** Starts reading a formula at its `math` tag. */
export function mathReader(attributes: Attributes): MathReader {
  const found: Record<Kind, string> = { tex: '', plain: '', other: '' }
  const block = attributeOf(attributes, 'display')?.toLowerCase() === 'block'
  let depth = 1
  let kind: Kind = 'other'
  return {
    open: (name, attrs, selfClosing) => {
      if (selfClosing) return
      if (name === 'math') depth++
      if (name === 'annotation') kind = KINDS.get(attributeOf(attrs, 'encoding')?.trim().toLowerCase() ?? '') ?? 'other'
    },
    close: (name) => {
      if (name === 'annotation') kind = 'other'
      if (name === 'math') depth--
      return depth === 0
    },
    text: (text) => {
      found[kind] += text
    },
    endsAt: (name) => ORDINARY.has(name),
    result: () => {
      const tex = found.tex.trim()
      if (tex !== '') return block ? `$$${tex}$$` : `$${tex}$`
      return found.plain.trim() || found.other.trim()
    },
  }
}
