/** Texts for readers in their language, from one catalogue of ICU messages (ADR 0018). The English message is the key. */
import { readCatalogue } from './catalogue.js'
import { createTranslator } from './translator.js'

export { asMessage, type Literal, type Message, msg } from './message.js'
export type { Arguments } from './translator.js'

export const { languages, languageOf, translate, translateParts } = createTranslator(readCatalogue())
