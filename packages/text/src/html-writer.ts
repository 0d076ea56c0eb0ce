/** Writes HTML that is always well nested and never longer than asked. */
import { escapeText } from './escape.js'

/** An open element: its name and the text that closes it. */
export type Frame = { name: string; close: string }

/** Output in the making; `frames` are the open elements, outermost first. */
export type HtmlWriter = {
  readonly frames: readonly Frame[]
  /** Whether an element of this name is open, at any depth. */
  isOpen: (name: string) => boolean
  /** Opens an element. False when it would exceed the size limit. */
  open: (name: string, open: string, close: string) => boolean
  /** Writes an element that cannot contain anything. */
  single: (html: string) => void
  /** Closes the innermost elements down to this length of `frames`. */
  closeTo: (length: number) => void
  /** Text to escape; a space goes before it when `apart` and the text before it would touch. */
  text: (text: string, apart: boolean) => void
  /** Closes everything and gives the HTML. */
  end: () => string
}

/** A writer of at most so many bytes of UTF-8; what does not fit is left out, and so is everything after it. */
export function htmlWriter(maxBytes: number): HtmlWriter {
  const parts: string[] = []
  const frames: Frame[] = []
  const openCount = new Map<string, number>()
  let room = maxBytes
  let full = false
  let lastText = ''

  /** Reserves bytes for a whole piece. Ends the document when they exceed the size limit. */
  const take = (bytes: number): boolean => {
    if (full || bytes > room) full = true
    else room -= bytes
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
    text: (text, apart) => {
      if (full || text === '') return
      const joined = apart && lastText !== '' && !/\s$/.test(lastText) && !/^\s/.test(text) ? ` ${text}` : text
      const html = escapeText(joined)
      lastText = text
      if (take(Buffer.byteLength(html))) parts.push(html)
      else parts.push(escapeText(longestPrefix(joined, room)))
    },
    end: () => {
      closeTo(0)
      return parts.join('')
    },
  }
}

/** As many whole code points from the start as fit escaped into so many bytes. */
function longestPrefix(text: string, bytes: number): string {
  let room = bytes
  let end = 0
  for (const char of text) {
    room -= Buffer.byteLength(escapeText(char))
    if (room < 0) break
    end += char.length
  }
  return text.slice(0, end)
}
