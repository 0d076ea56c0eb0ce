/** Reads text with optional languages: content, names and summaries, each plain or as a map. */

import { limits } from './limits.js'
import { cut, isLoose, type Loose, listOf, prop, textOf } from './loose.js'

const languageTag = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/

/** A language tag in its usual case (`pt-BR`), or null for "undetermined" and for invalid tags. */
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

/** True for a key of a language map: a language, or none, which is written `@none` in JSON-LD and empty elsewhere. */
const isKey = (key: string): boolean => key === '@none' || key === '' || languageTag.test(key)

/** The entries of a language map, or of the maps in a list, that hold text under something that looks like a language. */
const entriesOf = (map: unknown): readonly Entry[] =>
  listOf(map, 8).flatMap((one) =>
    (isLoose(one) ? Object.keys(one) : [])
      .slice(0, limits.languages)
      .filter(isKey)
      .flatMap((key) => {
        const text = textOf(prop(one as Loose, key), limits.html)
        return text === null ? [] : [{ key, text }]
      }),
  )

/** The first text of a string, of a JSON-LD value object, or of a list of them; an empty one when there is no other. */
const statedText = (value: unknown): { text: string; language: unknown } | null => {
  const stated = listOf(value, 8).flatMap((entry) => {
    const text = isLoose(entry) ? prop(entry, '@value') : entry
    return typeof text === 'string' ? [{ text, language: isLoose(entry) ? prop(entry, '@language') : undefined }] : []
  })
  return stated.find((it) => it.text !== '') ?? stated[0] ?? null
}

/** `name` itself, else the first entry of `nameMap`; null when there is neither. */
export const naturalText = (node: Loose, name: string, most: number): string | null => {
  const stated = statedText(prop(node, name))?.text ?? null
  const [first] = stated ? [] : [...entriesOf(prop(node, `${name}Map`)), ...entriesOf(prop(node, name))]
  const text = first?.text ?? stated
  return text === null ? null : cut(text, most)
}

/** The language of a node: of its content, of the entry that equals the content, else the first key of the first map there is. */
export const languageOf = (node: Loose): string | null => {
  const names = ['content', 'name', 'summary']
  const stated = statedText(prop(node, 'content'))
  const own = readLanguage(stated?.language)
  if (own !== null) return own
  const [content, ...others] = names.map((name) => [
    ...entriesOf(prop(node, `${name}Map`)),
    ...entriesOf(prop(node, name)),
  ])
  const first = content?.find((it) => it.text === stated?.text) ?? content?.[0] ?? others.flat()[0]
  return first === undefined ? null : readLanguage(first.key)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text, escaped for HTML text and for attributes in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => entities[letter] as string)

/** Plain text or Markdown as HTML that shows it as it was typed. */
export const plainToHtml = (text: string): string => `<p>${escapeHtml(text).replace(/\r\n?|\n/g, '<br>')}</p>`
