/** Which translator there is. */
import type { Config } from '../config.js'
import { createDeepl } from './deepl.js'
import { createLibreTranslate } from './libre-translate.js'
import type { Translator } from './translator.js'
import type { Web } from './web.js'

/** The translator that the operator chose; null when there is none. */
export const createTranslator = (config: Config, web: Web): Translator | null => {
  if (config.deeplKey !== '') return createDeepl(web, config)
  if (config.libreTranslateEndpoint !== '') return createLibreTranslate(web, config)
  return null
}
