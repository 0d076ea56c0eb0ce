/** Cleans names from other servers: no line breaks, and no marks that reverse the text beside them. */

/** Control characters, line ends, and Unicode marks of text direction. */
const unruly = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** One line of plain text: no controls, no direction marks, single spaces. */
export const oneLineText = (text: string): string =>
  text.toWellFormed().replace(unruly, ' ').replace(/\s+/g, ' ').trim()
