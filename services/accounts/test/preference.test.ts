/** Tests of preferences: stored as chosen, refused if invalid, and applied by all readers. */
import {
  changePreferences,
  chosenLanguages,
  loginsUsable,
  type PreferenceChoices,
  postingDefaults,
  preferenceChoices,
  preferencesChanged,
  resolveToken,
  showPreferences,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

const PASSWORD = 'a long password'
const createAccount = async (name: string) => {
  const viewer = await harness.createAccount(name, { password: PASSWORD })
  const credentials = { email: `${name}@mail.example`, password: PASSWORD, ip: null, userAgent: null }
  return { viewer, session: (await harness.call(signInUser, credentials)).session ?? '' }
}

test('the time zone of the sign-up is a default of the user, until the user chooses another one', async () => {
  const { viewer, session } = await createAccount('zoe')
  expect(await harness.call(postingDefaults, { id: viewer.id })).toMatchObject({ time_zone: null })
  await harness.db('accounts').run(sql`update sign_ups set time_zone = 'Europe/Berlin' where account_id = ${viewer.id}`)
  expect(await harness.call(postingDefaults, { id: viewer.id })).toMatchObject({ time_zone: 'Europe/Berlin' })
  await harness.call(changePreferences, { session, timeZone: 'UTC' })
  expect(await harness.call(postingDefaults, { id: viewer.id })).toMatchObject({ time_zone: 'UTC' })
  await harness.call(changePreferences, { session, timeZone: null })
  expect(await harness.call(preferenceChoices, { session })).toMatchObject({ timeZone: 'Europe/Berlin' })
})

test('a chosen preference is stored, and an absent one stays', async () => {
  const { viewer, session } = await createAccount('ann')
  const before = await harness.call(preferenceChoices, { session })
  expect(before).toEqual({
    locale: 'en',
    privacy: null,
    sensitive: false,
    language: null,
    quotePolicy: 'public',
    showApplication: true,
    aggregateReblogs: true,
    expandMedia: 'default',
    expandSpoilers: false,
    autoplayGifs: false,
    chosenLanguages: [],
    timeZone: null,
  })
  const all: PreferenceChoices = {
    locale: 'de',
    privacy: 'unlisted',
    sensitive: true,
    language: 'fr',
    quotePolicy: 'followers',
    showApplication: false,
    aggregateReblogs: false,
    expandMedia: 'hide_all',
    expandSpoilers: true,
    autoplayGifs: true,
    chosenLanguages: ['de', 'en'],
    timeZone: 'Asia/Tokyo',
  }
  await harness.call(changePreferences, { session, ...all })
  expect(await harness.call(preferenceChoices, { session })).toEqual(all)
  await harness.call(changePreferences, { session, sensitive: false })
  expect(await harness.call(preferenceChoices, { session })).toEqual({ ...all, sensitive: false })
  expect(await harness.call(showPreferences, {}, viewer)).toEqual({
    'posting:default:visibility': 'unlisted',
    'posting:default:sensitive': false,
    'posting:default:language': 'fr',
    'posting:default:quote_policy': 'followers',
    'reading:expand:media': 'hide_all',
    'reading:expand:spoilers': true,
    'reading:autoplay:gifs': true,
  })
  expect(await harness.call(postingDefaults, { id: viewer.id })).toMatchObject({
    show_application: false,
    chosen_languages: ['de', 'en'],
    aggregate_reblogs: false,
  })
  await harness.call(changePreferences, { session, privacy: null, language: null, chosenLanguages: [] })
  expect(await harness.call(preferenceChoices, { session })).toMatchObject({
    privacy: null,
    language: null,
    chosenLanguages: [],
  })
  expect(await harness.call(chosenLanguages, { ids: [viewer.id] })).toEqual({ chosen: {} })
  expect(await harness.call(showPreferences, {}, viewer)).toMatchObject({
    'posting:default:visibility': 'public',
    'posting:default:language': 'de',
  })
})

test('services that send messages get the new language of a user at once', async () => {
  const { viewer, session } = await createAccount('gus')
  const locale = async () => (await harness.call(loginsUsable, { ids: [viewer.id] })).locales?.[viewer.id]
  expect(await locale()).toBe('en')
  await harness.call(changePreferences, { session, locale: 'de' })
  expect(await locale()).toBe('de')
})

test('a change is announced once, in the transaction that made it', async () => {
  const { viewer, session } = await createAccount('bob')
  await harness.call(changePreferences, { session, showApplication: false })
  const announced = await harness
    .db('accounts')
    .rows(sql`select 1 from outbox where subject = ${preferencesChanged.subject} and data::jsonb->>'id' = ${viewer.id}`)
  expect(announced).toHaveLength(1)
})

test('languages are stored with supported codes without duplicates, and unsupported ones change nothing', async () => {
  const { session } = await createAccount('cat')
  const other = await createAccount('dan')
  await harness.call(changePreferences, {
    session,
    locale: 'pt-BR',
    language: 'DE-at',
    chosenLanguages: ['de-CH', 'de', 'EN'],
  })
  expect(await harness.call(preferenceChoices, { session })).toMatchObject({
    locale: 'pt',
    language: 'de',
    chosenLanguages: ['de', 'en'],
  })
  expect(await harness.call(preferenceChoices, { session: other.session })).toMatchObject({
    locale: 'en',
    chosenLanguages: [],
  })
})

test('an invalid preference is refused, and nothing is stored', async () => {
  const { session } = await createAccount('eve')
  const before = await harness.call(preferenceChoices, { session })
  for (const one of [
    { locale: 'tlh' },
    { language: 'nonsense' },
    { chosenLanguages: ['de', 'nonsense'] },
    { timeZone: 'Middle/Earth' },
  ]) {
    const answer = await harness.request(changePreferences, { session, sensitive: true, ...one })
    expect([one, answer.meta.status]).toEqual([one, 422])
  }
  for (const one of [
    { locale: '' },
    { chosenLanguages: Array.from({ length: 501 }, () => 'de') },
    { privacy: 'limited' },
    { quotePolicy: 'everybody' },
    { expandMedia: 'sometimes' },
    { autoplayGifs: 'yes' },
  ])
    expect([one, changePreferences.input.safeParse({ session, ...one }).success]).toEqual([one, false])
  expect(await harness.call(preferenceChoices, { session })).toEqual(before)
})

test('without a session nothing is shown or changed', async () => {
  for (const session of ['', 'nonsense']) {
    expect((await harness.request(preferenceChoices, { session })).meta.status).toBe(401)
    expect((await harness.request(changePreferences, { session, sensitive: true })).meta.status).toBe(401)
  }
})

test('a changed language applies to later requests with a token', async () => {
  const { session } = await createAccount('fay')
  const token = await harness.token('fay')
  const spoken = async () => (await harness.call(resolveToken, { token, ip: null })).found?.viewer?.locale
  expect(await spoken()).toBe('en')
  await harness.call(changePreferences, { session, locale: 'de' })
  expect(await spoken()).toBe('de')
})
