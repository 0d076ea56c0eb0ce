/** Joining JSON texts without parsing: a card and its facts become one entity. Takes only the branded text owners produce. */
import type { Json } from '@murmuration/contracts/kit'

/** Members to append to an object: name → ready JSON text. Names are ours and never need escaping. */
export type Members = Readonly<Record<string, string>>

/**
 * Appends members to the text of an object. Undefined members are left out.
 * @example splice(card, { account: accountCard, favourites_count: '3' })
 */
export const splice = <T>(object: Json<unknown>, members: Readonly<Record<string, string | undefined>>): Json<T> => {
  let text = object.length > 2 ? object.slice(0, -1) : '{'
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) text += `${text.length > 1 ? ',' : ''}"${name}":${value}`
  }
  return `${text}}` as Json<T>
}

/** A JSON string literal of some text. */
export const quote = (text: string): string => JSON.stringify(text)
