/** Types that accept only literal messages, so that a check can read every message from the source. */

declare const brand: unique symbol

/** An English text marked by `msg`: a key of the catalogue. A message is not a string, so that no page shows it untranslated. */
export interface Message {
  readonly [brand]: true
}

/** A literal. The compiler refuses other strings, such as names that an account chose. */
export type Literal<Text extends string> = string extends Text ? never : Text

/** Marks a literal that is translated later, as in a table of labels. */
export const msg = <const Text extends string>(text: Literal<Text>): Message => asMessage(text)

/**
 * A text that is a string at run time, such as an error of another service. If the text has no translation, it is
 * returned unchanged.
 */
export const asMessage = (text: string): Message => text as unknown as Message
