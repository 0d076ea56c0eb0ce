/** The language of the page, and texts in it. */
import { currentRequest } from '@murmuration/kernel'
import {
  type Arguments,
  type Literal,
  languageOf,
  type Message,
  translate,
  translateParts,
} from '@murmuration/messages'
import { LANGUAGES as LANGUAGE_NAMES } from '@murmuration/text'
import { type Html, type HtmlValue, html } from './html.js'

/** Code of the language: what the request asks for by `lang` or `Accept-Language` if the catalogue has it, else English. */
export const languageNow = (): string => languageOf(currentRequest()?.locale)

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** A message in the language of the page; HTML if an argument is HTML. Texts are escaped where they are inserted, as always. */
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

/** The labels of a table in the language of the page. */
export const labels = <Key>(table: readonly (readonly [Key, Message])[]): [Key, string][] =>
  table.map(([key, label]) => [key, t(label)])

/** Undefined for a code that `names` does not know, or does not take for one, as it does `zh-YUE`. */
const nameIn = (names: Intl.DisplayNames, code: string): string | undefined => {
  try {
    return names.of(code)
  } catch {
    return undefined
  }
}

/** Names of languages in the language of the page, by code; in English where there is no translation. */
export const languageNames = (codes: readonly string[]): Map<string, string> => {
  const names = new Intl.DisplayNames([languageNow()], { type: 'language', fallback: 'none' })
  return new Map(codes.map((code) => [code, nameIn(names, code) ?? LANGUAGE_NAMES[code] ?? code]))
}
