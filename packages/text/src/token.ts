/** Tokens of plain status text, as the scanner returns them. */

/** Where a token stands in the text, in UTF-16 units; `end` is exclusive. */
type Span = { start: number; end: number }

/** Anything that is not one of the others. */
export type TextToken = Span & { kind: 'text' }

/** A link with an explicit scheme, as typed; `web` for http and https, false for `xmpp:` and `magnet:`. */
export type UrlToken = Span & { kind: 'url'; url: string; web: boolean }

/** A handle; `domain` in ASCII form, null when none was typed. Whether the person exists is not known here. */
export type MentionToken = Span & { kind: 'mention'; username: string; domain: string | null }

/** A hashtag; `name` is normalised, `display` is as typed, both without the `#`. */
export type HashtagToken = Span & { kind: 'hashtag'; name: string; display: string }

/** A custom emoji's shortcode without its colons. Whether the emoji exists is not known here. */
export type ShortcodeToken = Span & { kind: 'shortcode'; shortcode: string }

export type Token = TextToken | UrlToken | MentionToken | HashtagToken | ShortcodeToken

/**
 * Result of a matcher at an offset: a token, or only the `end` of the text without one. Scanning continues at `end`
 * in both cases, so a matcher reads no character twice.
 */
export type Match<T extends Token> = { end: number; token?: T }

/** Looks for one kind of token at an offset; undefined when it cannot start there. */
export type Matcher<T extends Token> = (text: string, start: number) => Match<T> | undefined
