/** Selects the translator by the settings. */
import type { Config } from '../config.js'
import type { Web } from '../core/web.client.js'
import { createDeepl } from './deepl.client.js'
import { createLibreTranslate } from './libre-translate.client.js'
import type { Translator } from './translator.client.js'

/** The configured translator, DeepL first; null if none is configured. */
export const createTranslator = (config: Config, web: Web): Translator | null => {
  if (config.deeplKey !== '') return createDeepl(web, config)
  if (config.libreTranslateEndpoint !== '') return createLibreTranslate(web, config)
  return null
}
