/** Tokens of plain status text, as the scanner returns them. */

/** Position of a token in the text, in UTF-16 units. `end` is exclusive. */
type Span = { start: number; end: number }

/** Text that belongs to no token of another kind. */
export type TextToken = Span & { kind: 'text' }

/** A link with an explicit scheme, as typed. `web`: true for http and https, false for other schemes. */
export type UrlToken = Span & { kind: 'url'; url: string; web: boolean }

/** A handle. `domain` is in ASCII form; null if none was typed. The account may not exist. */
export type MentionToken = Span & { kind: 'mention'; username: string; domain: string | null }

/** A hashtag. `name` is normalised, `display` is as typed; both without the `#`. */
export type HashtagToken = Span & { kind: 'hashtag'; name: string; display: string }

/** Shortcode of a custom emoji, without colons. The emoji may not exist. */
export type ShortcodeToken = Span & { kind: 'shortcode'; shortcode: string }

export type Token = TextToken | UrlToken | MentionToken | HashtagToken | ShortcodeToken

/**
 * Result of a matcher: a token, or only the `end` of the text that is no token. In both cases, scanning continues at
 * `end`, so a matcher reads no character twice.
 */
export type Match<T extends Token> = { end: number; token?: T }

/**
 * Matches one kind of token at an offset. Returns undefined if no such token can start at the offset. `urlEnd`: end of the last
 * link before the offset, or 0.
 */
export type Matcher<T extends Token> = (text: string, start: number, urlEnd: number) => Match<T> | undefined
