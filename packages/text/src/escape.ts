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

/** Plain text as HTML between tags. Quotes stay, as in the output of an HTML serialiser. */
export const escapeText = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char]!)

/** Plain text as the value of a double-quoted attribute. Apostrophes stay. */
export const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char]!)

/**
 * Text that every store and parser accepts: lone surrogates become U+FFFD, NUL is removed, line ends become `\n`. The
 * length may change, so clean a text before computing offsets.
 */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n')
