/** Joins JSON texts without parsing them: a card, its counts and its viewer state become one entity. */
import type { Json } from '@murmuration/contracts/kit'

/** Members to append to an object: name → JSON text. Names are not escaped, so they must be constants of this code. */
export type Members = Readonly<Record<string, string>>

/**
 * Appends members to the JSON text of an object. Undefined members are left out.
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

/** Returns a text as a JSON string literal. */
export const quote = (text: string): string => JSON.stringify(text)
