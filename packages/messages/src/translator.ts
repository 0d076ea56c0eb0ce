/** Translates messages in ICU MessageFormat. Every message is compiled once per language. */
import { type Formatters, IntlMessageFormat } from 'intl-messageformat'
import type { Catalogue } from './catalogue.js'
import type { Literal, Message } from './message.js'

/** Code of the language in which the source code contains the messages. */
const ENGLISH = 'en'
/** Maximum number of compiled messages in memory. It is limited, because texts of other services are compiled as well. */
const MAX_COMPILED = 20_000
/** Characters of ICU syntax. A text without any of them needs no compilation. */
const SYNTAX = /[{}']/

export type Arguments<Value = never> = Readonly<Record<string, string | number | Value>>

export interface Translator {
  /** Codes of the languages that have a folder, and `en`. */
  readonly languages: readonly string[]
  /** Code of the language for a locale: `de` for `de-AT` and `DE`, and `en` if no language fits. */
  languageOf(locale: string | null | undefined): string
  /** Like `languageOf`, but null if no language fits the locale. */
  knownLanguage(locale: string | null | undefined): string | null
  /** True if the language has a translation of the message. */
  isTranslated(language: string, message: string): boolean
  /** Translates a message. Never throws: an invalid message, or one with a missing argument, is returned unchanged. */
  translate<const Text extends string>(
    locale: string | null | undefined,
    message: Message | Literal<Text>,
    args?: Arguments,
  ): string
  /** Like `translate`, but returns a list of parts. Values that are neither texts nor numbers, such as HTML, are passed through. */
  translateParts<Value extends object, const Text extends string>(
    locale: string | null | undefined,
    message: Message | Literal<Text>,
    args: Arguments<Value>,
  ): readonly (string | Value)[]
}

/** A compiled message; a string if the message has no arguments. */
type Compiled = string | IntlMessageFormat

/**
 * Formatters that all messages of a language share, because creating a formatter takes most of the time of formatting a
 * plural.
 */
const formattersOf = (language: string): Formatters => {
  const number = new Intl.NumberFormat(language)
  const cardinal = new Intl.PluralRules(language)
  const ordinal = new Intl.PluralRules(language, { type: 'ordinal' })
  return {
    getNumberFormat: (locales, options) => (options === undefined ? number : new Intl.NumberFormat(locales, options)),
    getDateTimeFormat: (...given) => new Intl.DateTimeFormat(...given),
    getPluralRules: (_, options) => (options?.type === 'ordinal' ? ordinal : cardinal),
  }
}
const known = new Map<string, Formatters>()
const sharedFormatters = (language: string): Formatters => {
  const formatters = known.get(language) ?? formattersOf(language)
  known.set(language, formatters)
  return formatters
}

/** Compiles a message; undefined if it is invalid. */
const compile = (language: string, text: string): Compiled | undefined => {
  if (!SYNTAX.test(text)) return text
  try {
    const options = { ignoreTag: true, formatters: sharedFormatters(language) }
    const format = new IntlMessageFormat(text, language, undefined, options)
    const parts = format.getAst()
    return parts.every((part) => part.type === 0) ? String(format.format()) : format
  } catch {
    return undefined
  }
}

const translationsOf = (catalogue: Catalogue): Map<string, ReadonlyMap<string, string>> =>
  new Map(
    [...catalogue].map(([language, topics]) => [
      language,
      new Map(
        [...topics.values()].flatMap((translations) =>
          Object.entries(translations).filter(([, translation]) => translation !== ''),
        ),
      ),
    ]),
  )

/**
 * Creates a translator for the languages of a catalogue. Invalid translations are ignored, so that the English text is used.
 */
export const createTranslator = (catalogue: Catalogue): Translator => {
  const translations = translationsOf(catalogue)
  const codes = new Map([ENGLISH, ...translations.keys()].map((code) => [code.toLowerCase(), code]))
  const compiled = new Map<string, Map<string, Compiled>>()
  let count = 0

  const knownLanguage = (locale: string | null | undefined): string | null => {
    const exact = codes.get(locale ?? '')
    if (exact !== undefined) return exact
    const tag = (locale ?? '').toLowerCase().replaceAll('_', '-')
    return codes.get(tag) ?? codes.get(tag.split('-', 1)[0] ?? '') ?? null
  }
  const languageOf = (locale: string | null | undefined): string => knownLanguage(locale) ?? ENGLISH
  const compiledIn = (language: string, message: string): Compiled => {
    const known = compiled.get(language)?.get(message)
    if (known !== undefined) return known
    const translation = translations.get(language)?.get(message)
    const translated = translation === undefined ? undefined : compile(language, translation)
    const made = translated ?? compile(ENGLISH, message) ?? message
    // A text without translation and without ICU syntax is not cached, because there may be any number of such texts.
    if (translation === undefined && made === message) return made
    if (count >= MAX_COMPILED) {
      compiled.clear()
      count = 0
    }
    const ofLanguage = compiled.get(language) ?? new Map<string, Compiled>()
    compiled.set(language, ofLanguage.set(message, made))
    count++
    return made
  }
  return {
    languages: [...codes.values()],
    languageOf,
    knownLanguage,
    isTranslated: (language, message) => translations.get(language)?.has(message) ?? false,
    translate(locale, message, args) {
      const text = String(message)
      const format = compiledIn(languageOf(locale), text)
      if (typeof format === 'string') return format
      try {
        return String(format.format(args))
      } catch {
        return text
      }
    },
    translateParts(locale, message, args) {
      const text = String(message)
      const format = compiledIn(languageOf(locale), text)
      if (typeof format === 'string') return [format]
      try {
        return format.formatToParts(args).map(({ value }) => value)
      } catch {
        return [text]
      }
    },
  }
}
