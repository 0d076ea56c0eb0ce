/** Names from other servers as plain text that cannot change the line that contains them. */

/** Controls, line ends, and marks that turn the direction of the text around them. */
const unruly = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** One line of plain text: no controls, no direction marks, single spaces. */
export const plainName = (text: string): string => text.toWellFormed().replace(unruly, ' ').replace(/\s+/g, ' ').trim()
