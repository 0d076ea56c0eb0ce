/** Translates texts of errors, which services send in English with their message and its arguments. */
import { asMessage } from './message.js'
import type { Translator } from './translator.js'

/** Message and arguments of an error text. An argument may be a list of texts, which is joined with commas. */
export interface Phrase {
  readonly message: string
  readonly args: Readonly<Record<string, string | number | Phrase | readonly Phrase[]>>
}
export type Phrases = Readonly<Record<string, Phrase>>

export interface ErrorTranslator {
  /** Translates an error text to the language of the locale. Parts without translation are in English. */
  translateError(locale: string | null | undefined, phrase: Phrase): string
  /**
   * Returns a parsed error body with translated texts: `error`, `error_description`, and each `description` in
   * `details`. Text that is not in the catalogue, such as an OAuth code, is not changed. `phrases` contains the message
   * and arguments of texts with arguments, by their English text.
   */
  translateErrorBody(language: string, body: unknown, phrases?: Phrases): unknown
}

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = <Item>(value: unknown): value is readonly Item[] => Array.isArray(value)

/** Returns the object with some members replaced. The order of the members stays, and absent members stay absent. */
const replaced = (body: Members, by: Readonly<Record<string, (value: unknown) => unknown>>): Members =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, by[name]?.(value) ?? value]))

const ENGLISH = 'en'
/** Maximum number of characters of a text for which a message is searched. Longer texts belong to no message. */
const MAX_CHARACTERS = 500
const ARGUMENT = /\{(\w+)\}/g
/** Separator of the texts in a list. Each text begins with a capital letter. */
const LIST = /, (?=\p{Lu})/u
const plain = (message: string): Phrase => ({ message, args: {} })
/** Matches messages that consist of arguments only. They are not searched, because almost any text fits them. */
const FITS_ALL = /^(?:\{\w+\}\W*)+$/

/**
 * Returns the arguments of an English text of a message, such as a stored error text. Returns null if the text belongs
 * to another message.
 */
type Reader = (text: string) => Record<string, string> | null

const readerOf = (message: string): Reader => {
  const names = [...message.matchAll(ARGUMENT)].map(([, name = '']) => name)
  const parts = message.split(/\{\w+\}/).map((part) => RegExp.escape(part.replaceAll("''", "'")))
  const pattern = new RegExp(`^${parts.join('(.+?)')}$`, 's')
  return (text) => {
    const values = pattern.exec(text)?.slice(1)
    return values ? Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])) : null
  }
}

/**
 * Creates the translator of error texts. `messages`: English messages of the catalogue, in which texts without a message are
 * searched.
 */
export const createErrorTranslator = (
  { languageOf, isTranslated, translate }: Pick<Translator, 'languageOf' | 'isTranslated' | 'translate'>,
  messages: Iterable<string>,
): ErrorTranslator => {
  let known: readonly (readonly [string, Reader])[] | undefined
  const readers = () => {
    known ??= [...new Set(messages)]
      .filter((message) => /^(?:[^{}]|\{\w+\})*\{\w+\}/.test(message) && !FITS_ALL.test(message))
      .map((message) => [message, readerOf(message)] as const)
    return known
  }
  /**
   * Finds the message and arguments of an English text that lacks them, such as a stored text or a text of an earlier
   * release.
   */
  const phraseOf = (text: string): Phrase | null => {
    if (text.length > MAX_CHARACTERS) return null
    for (const [message, read] of readers()) {
      const values = read(text)
      if (values === null) continue
      const args = Object.entries(values).map(([name, value]) => [name, value.split(LIST).map(plain)])
      return { message, args: Object.fromEntries(args) }
    }
    return null
  }
  const argumentOf = (language: string, value: Phrase['args'][string]): string | number => {
    if (typeof value !== 'object') return value
    return isList<Phrase>(value)
      ? value.map((item) => phraseIn(language, item)).join(', ')
      : phraseIn(language, value as Phrase)
  }
  const phraseIn = (language: string, { message, args }: Phrase): string => {
    const names = Object.keys(args)
    if (names.length === 0 && language === ENGLISH) return message
    if (names.length === 0 && !isTranslated(language, message)) {
      const phrase = phraseOf(message)
      return phrase === null ? message : phraseIn(language, phrase)
    }
    const values = Object.fromEntries(names.map((name) => [name, argumentOf(language, args[name] ?? '')]))
    return translate(language, asMessage(message), values)
  }
  const translateErrorBody = (language: string, body: unknown, phrases: Phrases = {}): unknown => {
    if (!isObject(body)) return body
    const text = (value: unknown): unknown => {
      if (typeof value !== 'string') return value
      const phrase = Object.hasOwn(phrases, value) ? phrases[value] : undefined
      return phraseIn(language, phrase ?? { message: value, args: {} })
    }
    const description = (item: unknown): unknown => (isObject(item) ? replaced(item, { description: text }) : item)
    const details = (value: unknown): unknown =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([field, items]) => [field, isList(items) ? items.map(description) : items]),
          )
        : value
    return replaced(body, {
      error: (value) => (isObject(value) ? translateErrorBody(language, value, phrases) : text(value)),
      error_description: text,
      details,
    })
  }
  return {
    translateError: (locale, phrase) => phraseIn(languageOf(locale), phrase),
    translateErrorBody,
  }
}
