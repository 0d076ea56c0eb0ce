/** Language of the current page request, and translations into it. */
import { currentRequest } from '@murmuration/kernel'
import {
  type Arguments,
  type Literal,
  languageOf,
  type Message,
  msg,
  translate,
  translateParts,
} from '@murmuration/messages'
import { LANGUAGES as LANGUAGE_NAMES } from '@murmuration/text'
import { type Html, type HtmlValue, html } from './html.js'

/** Language code of the page: the requested language (`lang` or Accept-Language) if it has translations, else `en`. */
export const languageNow = (): string => languageOf(currentRequest()?.locale)

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** Translates a message into the language of the page. Returns `Html` if an argument is `Html`, else unescaped text. */
export function t<const Text extends string>(message: Message | Literal<Text>, args?: Arguments): string
export function t<const Text extends string>(
  message: Message | Literal<Text>,
  args: Readonly<Record<string, HtmlValue>>,
): Html
export function t(message: Message, args: Readonly<Record<string, unknown>> = {}): string | Html {
  const locale = currentRequest()?.locale
  if (Object.values(args).every(isText)) return translate(locale, message, args as Arguments)
  return html`${translateParts(locale, message, args as Arguments<Html>)}`
}

/** Returns a table of values with labels, with the labels translated into the language of the page. */
export const labels = <Key>(table: readonly (readonly [Key, Message])[]): [Key, string][] =>
  table.map(([key, label]) => [key, t(label)])

/**
 * Label of a value; the value itself if the table lacks it. During a rolling update, other processes store and send
 * values that only a newer release knows.
 */
export const labelOf = (table: Readonly<Record<string, Message>>, value: string): string => {
  const label = Object.hasOwn(table, value) ? table[value] : undefined
  return label === undefined ? value : t(label)
}

/** Languages that `Intl` names like another language: Twi like Akan, Tagalog like Filipino, and Montenegrin like Serbian. */
const OWN_NAMES: Readonly<Record<string, Message>> = {
  tw: msg('Twi'),
  tl: msg('Tagalog'),
  cnr: msg('Montenegrin'),
}

/** Name of a language; undefined for unknown codes, and for those that `Intl` refuses, such as `zh-YUE`. */
const nameIn = (names: Intl.DisplayNames, code: string): string | undefined => {
  try {
    return names.of(code)
  } catch {
    return undefined
  }
}

/** Names of languages by code, in the language of the page; else in English; else the code. */
export const languageNames = (codes: readonly string[]): Map<string, string> => {
  const names = new Intl.DisplayNames([languageNow()], { type: 'language', fallback: 'none' })
  const english = (code: string): string | undefined =>
    Object.hasOwn(LANGUAGE_NAMES, code) ? LANGUAGE_NAMES[code] : undefined
  const own = (code: string): string | undefined =>
    Object.hasOwn(OWN_NAMES, code) ? labelOf(OWN_NAMES, code) : undefined
  return new Map(codes.map((code) => [code, own(code) ?? nameIn(names, code) ?? english(code) ?? code]))
}
