/**
 * S-023: translations of statuses, by each translator: sanitised, cached, and refused in the words that clients know.
 */
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness, statuses } from './harness.js'

const json = (value: unknown, status = 200): StubResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const bodyOf = (request: Received) => JSON.parse(request.body.toString('utf8')) as Record<string, unknown>
/** Fake translation: upper case, tags unchanged. */
const shout = (html: string): string =>
  html.replace(/(^|>)([^<]*)/g, (_all, tag: string, text: string) => tag + text.toUpperCase())

interface Fake {
  server: WebServer
  asked: Received[]
  wrong: StubResponse | null
}
const fake = async (answer: (request: Received) => StubResponse): Promise<Fake> => {
  const self: Fake = { server: undefined as never, asked: [], wrong: null }
  self.server = await serve((request) => {
    self.asked.push(request)
    return self.wrong ?? answer(request)
  })
  return self
}

const speakers = {
  DeepL: {
    name: 'DeepL.com',
    env: (origin: string) => ({ DEEPL_API_KEY: 'the-key', DEEPL_PLAN: 'free', DEEPL_ENDPOINT: origin }),
    quota: 456,
    answer: (request: Received): StubResponse => {
      if (request.headers.authorization !== 'DeepL-Auth-Key the-key') return json({}, 403)
      const { pathname, searchParams } = new URL(request.path, 'http://x')
      if (pathname === '/v2/languages')
        return json(
          searchParams.get('type') === 'source'
            ? [{ language: 'EN' }, { language: 'DE' }, { language: 'PT' }]
            : [{ language: 'EN-GB' }, { language: 'EN-US' }, { language: 'DE' }, { language: 'PT-BR' }],
        )
      const texts = bodyOf(request).text as string[]
      return json({ translations: texts.map((text) => ({ detected_source_language: 'EN', text: shout(text) })) })
    },
    languages: {
      en: ['de', 'en-GB', 'en-US', 'pt', 'pt-BR'],
      de: ['en', 'en-GB', 'en-US', 'pt', 'pt-BR'],
      pt: ['de', 'en', 'en-GB', 'en-US', 'pt-BR'],
      und: ['de', 'en', 'en-GB', 'en-US', 'pt', 'pt-BR'],
    },
  },
  LibreTranslate: {
    name: 'LibreTranslate',
    env: (origin: string) => ({ LIBRE_TRANSLATE_ENDPOINT: origin, LIBRE_TRANSLATE_API_KEY: 'lt' }),
    quota: 403,
    answer: (request: Received): StubResponse => {
      if (request.path === '/languages')
        return json([
          { code: 'en', name: 'English', targets: ['de', 'en', 'pt'] },
          { code: 'de', name: 'German', targets: ['de', 'en'] },
        ])
      const { q, api_key } = bodyOf(request)
      if (api_key !== 'lt') return json({ error: 'key' }, 400)
      return json({ translatedText: (q as string[]).map(shout), detectedLanguage: { confidence: 90, language: 'en' } })
    },
    languages: { en: ['de', 'pt'], de: ['en'], und: ['de', 'en', 'pt'] },
  },
} as const

const throttled = 'There have been too many requests to the translation service recently.'
const exceeded = 'The server-wide usage quota for the translation service has been exceeded.'

describe.each(Object.entries(speakers))('S-023 %s', (_title, speaker) => {
  let harness: Harness
  let provider: Fake
  const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
  beforeAll(async () => {
    provider = await fake(speaker.answer as (request: Received) => StubResponse)
    const host = { TRANSLATION_ALLOW_ADDRESSES: '127.0.0.0/8' }
    harness = await startHarness({ ...host, ...speaker.env(provider.server.origin) })
  })
  afterAll(async () => {
    await harness.stop()
    await provider.server.close()
  })
  afterEach(() => {
    provider.wrong = null
    provider.asked.length = 0
  })
  const setting = async (input: Record<string, unknown> = {}) => {
    const ann = harness.fakes.fakeAccounts.get(harness.fakes.fakeAccount('ann').id)
    if (!ann) throw new Error('nobody')
    return { ann, status: await harness.post(ann, { status: 'hello', language: 'en', ...input }) }
  }
  const translate = (id: string, who: Parameters<Harness['as']>[0], lang: string | null = 'de') =>
    call(statuses.translateStatus, { id, ...(lang ? { lang } : {}) }, harness.as(who))

  test('S-023 the supported languages are listed', async () => {
    expect(await call(statuses.translationLanguages, {})).toEqual(speaker.languages)
    expect((await call(statuses.statusCounts, {})).translates).toBe(true)
  })
  test('S-023 text, warning, options and descriptions are translated, and names stay', async () => {
    const { ann, status } = await setting({
      status: 'hello @bob <b>you</b>',
      spoiler_text: 'care & love',
      poll: { options: ['one & two', 'three'], expires_in: 3_600 },
    })
    harness.fakes.fakeAccount('bob')
    expect(await translate(status.id, ann)).toEqual({
      content: expect.stringContaining('HELLO'),
      spoiler_text: expect.stringContaining('CARE'),
      language: 'de',
      detected_source_language: 'en',
      provider: speaker.name,
      poll: { id: status.poll?.id, options: [{ title: expect.stringContaining('ONE') }, { title: 'THREE' }] },
      media_attachments: [],
    })
    const file = harness.fakes.file(ann, { description: 'a cat' })
    const { status: pictured } = await setting()
    const other = await harness.post(ann, { status: 'look', language: 'en', media_ids: [file.id] })
    expect(await translate(other.id, ann)).toMatchObject({
      content: '<p>LOOK</p>',
      poll: null,
      media_attachments: [{ id: file.id, description: 'A CAT' }],
    })
    expect(await translate(pictured.id, ann, 'de-AT')).toMatchObject({ language: 'de' })
  })
  test('hostile 85 A148 the result is sanitised', async () => {
    const { ann, status } = await setting({ status: `dirty ${speaker.name}` })
    const dirty = '<p onclick="evil()">hi<img src=x onerror=evil()><script>evil()</script></p>'
    provider.wrong =
      speaker.name === 'LibreTranslate'
        ? json({ translatedText: [dirty] })
        : json({ translations: [{ text: dirty, detected_source_language: 'EN' }] })
    expect((await translate(status.id, ann)).content).toBe('<p>hi</p>')
  })
  test('a detected language that is no language code is replaced by that of the status', async () => {
    const { ann, status } = await setting({ status: `strange ${speaker.name}` })
    provider.wrong =
      speaker.name === 'LibreTranslate'
        ? json({ translatedText: ['hi'], detectedLanguage: { language: 'automatic' } })
        : json({ translations: [{ text: 'hi', detected_source_language: 'AUTOMATIC' }] })
    expect((await translate(status.id, ann)).detected_source_language).toBe('en')
  })
  test('equal texts are requested once', async () => {
    const { ann, status } = await setting({ status: 'again and again' })
    await translate(status.id, ann)
    const after = provider.asked.length
    await translate(status.id, ann)
    await translate((await setting({ status: 'again and again' })).status.id, ann)
    expect(provider.asked).toHaveLength(after)
  })
  test('limits and failures are reported in the words that clients know', async () => {
    const { ann, status } = await setting({ status: 'trouble' })
    const refused = (message: string) =>
      expect(translate(status.id, ann)).rejects.toMatchObject({ status: 503, message })
    provider.wrong = json({}, 429)
    await refused(throttled)
    provider.wrong = json({}, speaker.quota)
    await refused(exceeded)
    provider.wrong = json({}, 500)
    await refused('Service Unavailable')
    provider.wrong = { status: 200, body: '<html>' }
    await refused('Service Unavailable')
    provider.wrong = json({ translatedText: [], translations: [] })
    await refused('Service Unavailable')
  })
  test('only public and unlisted statuses are translated, and only in offered language pairs', async () => {
    const { ann, status } = await setting()
    const secret = await harness.post(ann, { status: 'psst', visibility: 'private' })
    const forbidden = { status: 403, message: 'This action is not allowed' }
    await expect(translate(secret.id, ann)).rejects.toMatchObject(forbidden)
    await expect(translate(status.id, ann, 'ja')).rejects.toMatchObject(forbidden)
    await expect(translate(status.id, ann, 'en')).rejects.toMatchObject(forbidden)
    await expect(translate(secret.id, harness.fakes.fakeAccount('eve'))).rejects.toMatchObject({ status: 404 })
    expect(provider.asked.filter((one) => one.method === 'POST')).toEqual([])
  })
})

test('S-023 without a translator there are no translations', async () => {
  const harness = await startHarness()
  const ann = harness.fakes.fakeAccount('ann')
  const { id } = await harness.post(ann, 'hello')
  expect(await harness.cluster.call(statuses.translationLanguages, {})).toEqual({})
  await expect(
    harness.cluster.call(statuses.translateStatus, { id, lang: 'de' }, harness.as(ann)),
  ).rejects.toMatchObject({
    status: 404,
    message: 'Not Found',
  })
  await harness.stop()
})

test('A113 a translator at a private address is only requested if the operator allows it', async () => {
  let hits = 0
  const inside = await serve(() => {
    hits++
    return json([])
  })
  const harness = await startHarness({ LIBRE_TRANSLATE_ENDPOINT: inside.origin })
  await expect(harness.cluster.call(statuses.translationLanguages, {})).rejects.toMatchObject({ status: 503 })
  expect(hits).toBe(0)
  await harness.stop()
  await inside.close()
})
