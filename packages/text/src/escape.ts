/** Escaping: the only functions that turn plain text into HTML text. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Plain text as HTML that is safe between tags and inside quoted attributes.
 *
 * @example escapeHtml('<b> & "c"') // '&lt;b&gt; &amp; &quot;c&quot;'
 */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

/** Plain text as HTML for between tags only; quotes stay as they are, as an HTML serialiser leaves them. */
export const escapeText = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char]!)

/** Plain text as the value of a double-quoted attribute; the apostrophe stays. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char]!)

/**
 * Text that every store and every parser accepts: lone surrogates become U+FFFD, NUL is dropped, line ends
 * become `\n`. The length may change, so clean before taking offsets.
 */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n')
