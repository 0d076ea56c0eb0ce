/**
 * Text of an error: an English message of the catalogue with its arguments, so that the gateway can translate it for
 * the caller.
 */

/** Value of an argument in an error text. A list of texts is joined with commas. */
export type ErrorArgument = string | number | ErrorText | readonly ErrorText[]

type PhraseArgument = string | number | ErrorPhrase | readonly ErrorPhrase[]
/** An error text as plain data, for the metadata of a response. */
export interface ErrorPhrase {
  readonly message: string
  readonly args: Readonly<Record<string, PhraseArgument>>
}
/** Error texts as plain data, by their English text. */
export type ErrorPhrases = Readonly<Record<string, ErrorPhrase>>

type Both<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void ? All : never

/**
 * Type that accepts one string literal. Variables and values of a table are compile errors, because the check of the
 * message catalogue reads only literals.
 */
export type ErrorLiteral<Text> = string extends Text ? never : [Text] extends [Both<Text>] ? Text : never

/** Matches an argument in braces, or two apostrophes, in an English message. Two apostrophes represent one apostrophe of the text. */
const SYNTAX = /\{(\w+)\}|''/g

export class ErrorText {
  /** English message with the names of its arguments in braces. It is the key in the message catalogue. */
  readonly message: string
  readonly args: Readonly<Record<string, ErrorArgument>>

  constructor(message: string, args: ErrorText['args'] = {}) {
    this.message = message
    this.args = args
  }

  /** Returns the English text with its arguments. */
  toString(): string {
    return this.message.replace(SYNTAX, (syntax, name: string | undefined) => {
      const value = name === undefined ? "'" : this.args[name]
      return value === undefined ? syntax : Array.isArray(value) ? value.join(', ') : String(value)
    })
  }

  /** JSON bodies of errors contain the English text. */
  toJSON(): string {
    return this.toString()
  }
}

/**
 * Creates the text of an error.
 * @example errorText('Title is too long (maximum is {most} characters)', { most })
 */
export const errorText = <const Text extends string>(
  message: ErrorLiteral<Text>,
  args?: ErrorText['args'],
): ErrorText => new ErrorText(message, args)

const phraseOf = ({ message, args }: ErrorText): ErrorPhrase => ({
  message,
  args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plainOf(value)])),
})
const isList = <Item>(value: unknown): value is readonly Item[] => Array.isArray(value)
const plainOf = (value: ErrorArgument): PhraseArgument =>
  value instanceof ErrorText ? phraseOf(value) : isList<ErrorText>(value) ? value.map(phraseOf) : value

/**
 * Error texts in `value`, such as a body, as plain data. Texts without arguments are left out, because their English
 * text is the key of the catalogue.
 */
export const phrasesIn = (value: unknown): ErrorPhrases => {
  if (value instanceof ErrorText)
    return Object.keys(value.args).length > 0 ? { [value.toString()]: phraseOf(value) } : {}
  if (typeof value !== 'object' || value === null) return {}
  return Object.assign({}, ...Object.values(value).map(phrasesIn))
}

const textFrom = ({ message, args }: ErrorPhrase): ErrorText =>
  new ErrorText(message, Object.fromEntries(Object.entries(args).map(([name, value]) => [name, argumentFrom(value)])))
const argumentFrom = (value: PhraseArgument): ErrorArgument =>
  typeof value !== 'object' ? value : isList<ErrorPhrase>(value) ? value.map(textFrom) : textFrom(value)

/**
 * Returns the error text for an English text that another service sent. `phrases`: the error texts with arguments that
 * were sent with it.
 */
export const receivedText = (english: string, phrases: ErrorPhrases = {}): ErrorText => {
  const phrase = Object.hasOwn(phrases, english) ? phrases[english] : undefined
  return phrase === undefined ? new ErrorText(english) : textFrom(phrase)
}
