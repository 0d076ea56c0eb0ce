/** Translated texts from a catalogue of ICU messages (ADR 0018). The English message is the key. */
import { readCatalogue } from './catalogue.js'
import { createErrorTranslator } from './error.js'
import { createPreferredLanguage } from './preferred-language.js'
import { createTranslator } from './translator.js'

export { acceptedLanguage } from './accepted-language.js'
export { asMessage, type Literal, type Message, msg } from './message.js'
export type { Arguments } from './translator.js'

const catalogue = readCatalogue()
const translator = createTranslator(catalogue)
export const { languages, languageOf, knownLanguage, translate, translateParts } = translator
export const preferredLanguage = createPreferredLanguage(translator.knownLanguage)
export const { translateError, translateErrorBody } = createErrorTranslator(
  translator,
  [...catalogue.values()].flatMap((topics) => Object.keys(topics.get('errors') ?? {})),
)
