/** Attributes of a tag, as returned by the tokenizer. */
import type { Token } from 'parse5'

/** Attributes of a tag, with names in lower case and decoded values. */
export type Attributes = readonly Token.Attribute[]

/** Value of an attribute; undefined if absent. */
export const attributeOf = (attributes: Attributes, name: string): string | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value
