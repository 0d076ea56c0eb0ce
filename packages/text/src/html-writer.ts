/** Writes HTML that is always well nested and within a size limit. */
import { escapeText } from './escape.js'

/** An open element: its name and its end tag. */
export type Frame = { name: string; close: string }

/** Writer of HTML. `frames`: the open elements, outermost first. */
export type HtmlWriter = {
  readonly frames: readonly Frame[]
  /** Whether an element with this name is open, at any depth. */
  isOpen: (name: string) => boolean
  /** Opens an element. Returns false if the element would exceed the size limit. */
  open: (name: string, open: string, close: string) => boolean
  /** Writes an element without content. */
  single: (html: string) => void
  /** Closes the innermost elements until `frames` has this length. */
  closeTo: (length: number) => void
  /** Writes escaped text. With `separated`, a space is added before the text if it would touch the previous text. */
  text: (text: string, separated: boolean) => void
  /** Closes all elements and returns the HTML. */
  end: () => string
}

/**
 * Creates a writer of at most `maxBytes` bytes of UTF-8. The first part that exceeds the limit, and everything after
 * it, is omitted.
 */
export function htmlWriter(maxBytes: number): HtmlWriter {
  const parts: string[] = []
  const frames: Frame[] = []
  const openCount = new Map<string, number>()
  let left = maxBytes
  let full = false
  let lastText = ''

  /** Reserves bytes for the next part of the document. If the part exceeds the remaining bytes, the document ends. */
  const take = (bytes: number): boolean => {
    if (full || bytes > left) full = true
    else left -= bytes
    return !full
  }
  const count = (name: string, by: number) => openCount.set(name, (openCount.get(name) ?? 0) + by)
  const closeTo = (length: number) => {
    while (frames.length > length) {
      const { name, close } = frames.pop()!
      parts.push(close)
      count(name, -1)
    }
  }
  return {
    frames,
    isOpen: (name) => (openCount.get(name) ?? 0) > 0,
    closeTo,
    single: (html) => {
      if (take(Buffer.byteLength(html))) parts.push(html)
    },
    open: (name, open, close) => {
      if (!take(Buffer.byteLength(open) + close.length)) return false
      parts.push(open)
      frames.push({ name, close })
      count(name, 1)
      return true
    },
    text: (text, separated) => {
      if (full || text === '') return
      const joined = separated && lastText !== '' && !/\s$/.test(lastText) && !/^\s/.test(text) ? ` ${text}` : text
      const html = escapeText(joined)
      lastText = text
      if (take(Buffer.byteLength(html))) parts.push(html)
      else parts.push(escapeText(longestPrefix(joined, left)))
    },
    end: () => {
      closeTo(0)
      return parts.join('')
    },
  }
}

/** The longest prefix of whole code points that fits into `bytes` after escaping. */
function longestPrefix(text: string, bytes: number): string {
  let left = bytes
  let end = 0
  for (const char of text) {
    left -= Buffer.byteLength(escapeText(char))
    if (left < 0) break
    end += char.length
  }
  return text.slice(0, end)
}
