/** Attributes of a tag, as the tokenizer gives them. */
import type { Token } from 'parse5'

/** Attributes of a tag as written, names in lower case, values decoded. */
export type Attributes = readonly Token.Attribute[]

/** The value of an attribute, undefined when it is absent. */
export const attributeOf = (attributes: Attributes, name: string): string | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value
