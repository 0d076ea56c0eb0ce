/** Normalised paths of URLs, for comparisons. */

/** Matches encoded letters, digits, `@`, `-`, `.`, `_` and `~`, whose encoding is unnecessary (RFC 3986, section 6.2.2.2). */
const NEEDLESS = /%(?:2[de]|3\d|4\d|4[a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi

/**
 * The path without unnecessary percent-encoding.
 *
 * @example plainPath('/%40%62ob') // '/@bob'
 */
export const plainPath = (path: string): string => path.replace(NEEDLESS, decodeURIComponent)
