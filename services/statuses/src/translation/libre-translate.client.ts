/**
 * LibreTranslate client: lists the languages of the server and translates HTML texts. After 429 the client throws
 * `tooManyRequests`, after 403 `quotaExceeded`.
 */
import { z } from 'zod'
import type { Config } from '../config.js'
import type { Web } from '../core/web.client.js'
import { type LanguagePairs, languageCode, withUnknown } from './rules.js'
import { badResponse, quotaExceeded, requestJson, type Translator, tooManyRequests } from './translator.client.js'

const TIMEOUT_MS = 20_000

const Languages = z
  .array(z.object({ code: z.string().max(20), targets: z.array(z.string().max(20)).max(500).optional() }))
  .max(500)
const Detected = z.object({ language: z.string().max(20) })
const ResponseBody = z.object({
  translatedText: z.array(z.string()),
  detectedLanguage: z.union([Detected, z.array(Detected)]).optional(),
})

export const createLibreTranslate = (
  web: Web,
  config: Pick<Config, 'libreTranslateEndpoint' | 'libreTranslateKey'>,
): Translator => {
  const origin = config.libreTranslateEndpoint.replace(/\/$/, '')
  const headers = { 'content-type': 'application/json' }
  const api = {
    refusals: { 429: tooManyRequests, 403: quotaExceeded },
    // A missing key gets 400, and a wrong key 403.
    keyRefused: [400, 401, 403],
    settings: {
      key: 'LIBRE_TRANSLATE_API_KEY',
      address: 'LIBRE_TRANSLATE_ENDPOINT and TRANSLATION_ALLOW_ADDRESSES',
    },
  }
  return {
    name: 'LibreTranslate',
    async languages(): Promise<LanguagePairs> {
      const url = `${origin}/languages`
      const read = Languages.safeParse(
        await requestJson(web, { method: 'GET', url, headers, timeoutMs: TIMEOUT_MS }, api),
      )
      if (!read.success) throw badResponse(read.error)
      const all = read.data.map((one) => one.code)
      return withUnknown(
        Object.fromEntries(
          read.data.map(({ code, targets = all }) => [
            languageCode(code),
            targets.filter((target) => target !== code).map(languageCode),
          ]),
        ),
      )
    },
    async translate(texts, source, target) {
      const body = {
        q: texts,
        source: source === 'und' ? 'auto' : source,
        target,
        format: 'html',
        ...(config.libreTranslateKey === '' ? {} : { api_key: config.libreTranslateKey }),
      }
      const read = ResponseBody.safeParse(
        await requestJson(
          web,
          { method: 'POST', url: `${origin}/translate`, headers, body: JSON.stringify(body), timeoutMs: TIMEOUT_MS },
          api,
        ),
      )
      if (!read.success || read.data.translatedText.length !== texts.length) throw badResponse(read.error)
      const { translatedText, detectedLanguage } = read.data
      const [first] = [detectedLanguage].flat()
      return { texts: translatedText, detected: first ? languageCode(first.language) : null }
    },
  }
}
