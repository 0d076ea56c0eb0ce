/** Paths of addresses in the one spelling in which they are compared. */

/** Encoded letters, digits, `@`, `-`, `.`, `_` and `~`: encoded or not, they mean the same (RFC 3986, section 6.2.2.2). */
const NEEDLESS = /%(?:2[de]|3\d|4\d|4[a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi

/**
 * The path without needless percent-encoding.
 *
 * @example plainPath('/%40%62ob') // '/@bob'
 */
export const plainPath = (path: string): string => path.replace(NEEDLESS, decodeURIComponent)
