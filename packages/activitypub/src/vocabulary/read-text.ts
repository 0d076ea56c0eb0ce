/** Parses content, names and summaries, which documents contain as a string, a number or a language map. */

import { cut, isJsonObject, type JsonObject, listOf, prop } from './json.js'
import { limits } from './limits.js'

const languageTag = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/
/**
 * Matches keys of a language map. The language has two or three letters, so that other property names (`type`, `name`)
 * do not match.
 */
const mapKey = /^(?:[a-z]{2,3}|[ix]-[a-z0-9]{1,8})(?:[-_][a-z0-9]{1,8}){0,4}$/i

/** Normalises the letter case of a language tag (`pt-BR`). Returns null for `und` and for invalid tags. */
export const readLanguage = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 35 || !languageTag.test(value)) return null
  const [primary = '', ...rest] = value.split(/[-_]/)
  const language = primary.toLowerCase()
  if (language === 'und') return null
  const parts = rest.map((part) =>
    part.length === 2 ? part.toUpperCase() : part.length === 4 ? capital(part) : part.toLowerCase(),
  )
  return [language, ...parts].join('-')
}

const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()

type Entry = { key: string; text: string }

/** True for a key of a language map: a language tag, or `@none` or empty for no language. */
const isKey = (key: string): boolean => key === '@none' || key === '' || mapKey.test(key)

/**
 * A string, or a number as text, because some servers write texts of digits as numbers. Null for other values, and for an integer
 * that JavaScript cannot represent exactly.
 */
export const plainTextOf = (value: unknown): string | null => {
  if (typeof value !== 'number') return typeof value === 'string' ? value : null
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? String(value) : null
}

/**
 * First text that is not empty, of a string, a number, a JSON-LD value object, or a list of them; an empty text if
 * every text is empty. Null if there is no text.
 */
const statedText = (value: unknown): { text: string; language: unknown } | null => {
  const stated = listOf(value, 8).flatMap((entry) => {
    const text = plainTextOf(isJsonObject(entry) ? prop(entry, '@value') : entry)
    return text === null ? [] : [{ text, language: isJsonObject(entry) ? prop(entry, '@language') : undefined }]
  })
  return stated.find((it) => it.text !== '') ?? stated[0] ?? null
}

const entryOf = (key: string, value: unknown): readonly Entry[] => {
  const stated = statedText(value)
  return stated === null ? [] : [{ key, text: cut(stated.text, limits.html) }]
}

/**
 * Texts of a language map, of the language maps in a list, or of value objects. Entries whose key is no language, or
 * without text, are left out; empty texts come last.
 */
const entriesOf = (map: unknown): readonly Entry[] => {
  const entries = listOf(map, 8).flatMap((one): readonly Entry[] => {
    if (!isJsonObject(one)) return []
    const language = prop(one, '@language')
    if (Object.hasOwn(one, '@value')) return entryOf(typeof language === 'string' ? language : '', one)
    const keys = Object.keys(one).slice(0, limits.languages).filter(isKey)
    return keys.flatMap((key) => entryOf(key, prop(one, key)))
  })
  return [...entries.filter((it) => it.text !== ''), ...entries.filter((it) => it.text === '')]
}

/**
 * Text of the property called `name` (such as `summary`), else the first entry of its language map (`summaryMap`), cut
 * to `max`; null if there is neither.
 */
export const naturalText = (node: JsonObject, name: string, max: number): string | null => {
  const stated = statedText(prop(node, name))?.text ?? null
  const [first] = stated ? [] : [...entriesOf(prop(node, `${name}Map`)), ...entriesOf(prop(node, name))]
  const text = first?.text ?? stated
  return text === null ? null : cut(text, max)
}

/**
 * Language of an object: of its content, else of its name, else of its summary. In a language map, the entry with the
 * same text as the property counts, else the first entry.
 */
export const languageOf = (node: JsonObject): string | null => {
  const own = readLanguage(statedText(prop(node, 'content'))?.language)
  if (own !== null) return own
  for (const name of ['content', 'name', 'summary']) {
    const entries = [...entriesOf(prop(node, `${name}Map`)), ...entriesOf(prop(node, name))]
    const text = statedText(prop(node, name))?.text
    const entry = entries.find((it) => it.text === text) ?? entries[0]
    if (entry !== undefined) return readLanguage(entry.key)
  }
  return null
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes plain text for HTML text and for attributes in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => entities[letter] as string)

/** HTML that shows plain text or Markdown as typed. */
export const plainToHtml = (text: string): string => `<p>${escapeHtml(text).replace(/\r\n?|\n/g, '<br>')}</p>`
