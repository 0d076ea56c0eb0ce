/** Failed requests to translation APIs: their cause, which is logged, names the setting. */
import { expect, test } from 'vitest'
import type { Web } from '../core/web.client.js'
import { createDeepl } from './deepl.client.js'
import { createLibreTranslate } from './libre-translate.client.js'

const translators = {
  DeepL: (web: Web) => createDeepl(web, { deeplKey: 'key', deeplPlan: 'free', deeplEndpoint: '' }),
  LibreTranslate: (web: Web) =>
    createLibreTranslate(web, { libreTranslateEndpoint: 'https://translate.example', libreTranslateKey: '' }),
}

test.each<[keyof typeof translators, number | null, string]>([
  ['DeepL', 403, 'HTTP status 403: see DEEPL_API_KEY and DEEPL_PLAN'],
  ['DeepL', 400, 'HTTP status 400'],
  ['DeepL', 500, 'HTTP status 500'],
  ['LibreTranslate', 400, 'HTTP status 400: see LIBRE_TRANSLATE_API_KEY'],
  ['LibreTranslate', 403, 'HTTP status 403: see LIBRE_TRANSLATE_API_KEY'],
  ['LibreTranslate', 200, 'no JSON: see LIBRE_TRANSLATE_ENDPOINT and TRANSLATION_ALLOW_ADDRESSES'],
  ['LibreTranslate', null, 'cannot be reached: see LIBRE_TRANSLATE_ENDPOINT and TRANSLATION_ALLOW_ADDRESSES'],
])('after a response of %s with %d the cause names the setting', async (name, status, expected) => {
  const request = async () => {
    if (status === null) throw new Error('no connection')
    return { status, text: '<html>' }
  }
  const translator = translators[name]({ request } as unknown as Web)
  const failure = { code: 'unavailable', cause: { message: expect.stringMatching(new RegExp(`${expected}$`)) } }
  await expect(translator.translate(['hello'], 'en', 'de')).rejects.toMatchObject(failure)
  await expect(translator.languages()).rejects.toMatchObject(failure)
})
