/**
 * DeepL client: lists source and target languages and translates HTML texts, at most 50 in one request. HTTP 429 throws the error
 * for too many requests, and HTTP 456 that for an exceeded quota.
 */
import { z } from 'zod'
import type { Config } from '../config.js'
import type { Web } from '../core/web.client.js'
import { type LanguagePairs, languageCode, withUnknown } from './rules.js'
import { badResponse, quotaExceeded, requestJson, type Translator, tooManyRequests } from './translator.client.js'

const TIMEOUT_MS = 15_000
/** Maximum number of texts in one request. */
const MAX_TEXTS = 50

const Languages = z.array(z.object({ language: z.string().max(20) })).max(500)
const ResponseBody = z.object({
  translations: z.array(z.object({ text: z.string(), detected_source_language: z.string().max(20).optional() })),
})

export const createDeepl = (web: Web, config: Pick<Config, 'deeplKey' | 'deeplPlan' | 'deeplEndpoint'>): Translator => {
  const usual = config.deeplPlan === 'pro' ? 'https://api.deepl.com' : 'https://api-free.deepl.com'
  const origin = (config.deeplEndpoint || usual).replace(/\/$/, '')
  const headers = { authorization: `DeepL-Auth-Key ${config.deeplKey}`, 'content-type': 'application/json' }
  const api = {
    refusals: { 429: tooManyRequests, 456: quotaExceeded },
    keyRefused: [401, 403],
    settings: { key: 'DEEPL_API_KEY and DEEPL_PLAN', address: 'DEEPL_ENDPOINT' },
  }
  const codes = async (type: 'source' | 'target'): Promise<string[]> => {
    const url = `${origin}/v2/languages?type=${type}`
    const read = Languages.safeParse(
      await requestJson(web, { method: 'GET', url, headers, timeoutMs: TIMEOUT_MS }, api),
    )
    if (!read.success) throw badResponse(read.error)
    return read.data.map((one) => languageCode(one.language))
  }
  return {
    name: 'DeepL.com',
    async languages(): Promise<LanguagePairs> {
      const [sources, named] = await Promise.all([codes('source'), codes('target')])
      // English and Portuguese are listed only with a region, but can be requested without one.
      const bare = ['en', 'pt'].filter((code) => named.some((one) => one.startsWith(`${code}-`)))
      const targets = [...new Set([...bare, ...named])].sort()
      const other = (source: string) => targets.filter((target) => target !== source)
      return withUnknown(Object.fromEntries(sources.sort().map((source) => [source, other(source)])))
    },
    async translate(texts, source, target) {
      const body = {
        text: texts.slice(0, MAX_TEXTS),
        target_lang: target.toUpperCase(),
        tag_handling: 'html',
        ...(source === 'und' ? {} : { source_lang: source.toUpperCase() }),
      }
      const read = ResponseBody.safeParse(
        await requestJson(
          web,
          { method: 'POST', url: `${origin}/v2/translate`, headers, body: JSON.stringify(body), timeoutMs: TIMEOUT_MS },
          api,
        ),
      )
      if (!read.success || read.data.translations.length !== body.text.length) throw badResponse(read.error)
      const { translations } = read.data
      const detected = translations[0]?.detected_source_language
      return { texts: translations.map((one) => one.text), detected: detected ? languageCode(detected) : null }
    },
  }
}
