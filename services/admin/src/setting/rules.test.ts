/** Settings: parsing of entered text, refusals with the name, and defaults for invalid rows. */
import { InstanceSettings } from '@murmuration/contracts/admin'
import { expect, test } from 'vitest'
import { isWhole, publishedOf, settingsOf, settingValue } from './rules.js'

test.each([
  ['trends', 'true', true],
  ['trends', 'false', false],
  ['trends', false, false],
  ['max_characters', '1000', 1000],
  ['max_characters', 1000, 1000],
  ['site_title', 'true', 'true'],
  ['site_title', '42', '42'],
  ['site_short_description', '', ''],
  ['site_contact_email', 'staff@mail.example', 'staff@mail.example'],
  ['site_contact_email', ' Staff@münchen.example', 'Staff@xn--mnchen-3ya.example'],
  ['registrations_mode', 'open', 'open'],
  ['languages', '["en","de","zh-TW"]', ['en', 'de', 'zh-TW']],
  ['min_age', '16', 16],
  ['min_age', 'null', null],
  ['min_age', '', null],
  ['site_contact_account', 'null', null],
  ['site_contact_account', '109', '109'],
  ['status_page_url', 'https://status.example/', 'https://status.example/'],
  ['site_terms', '# Terms', '# Terms'],
])('%s from %j', (name, given, value) => {
  expect(settingValue(name, given)).toEqual(value)
})

test.each([
  ['registrations_mode', 'perhaps', 'Registrations mode is not included in the list'],
  ['trends', 'perhaps', 'Trends is not true or false'],
  ['max_characters', 'many', 'Max characters is not a number'],
  ['max_characters', '1.5', 'Max characters is not a number'],
  ['max_characters', '0', 'Max characters must be from 1 to 50000'],
  ['min_age', '-3', 'Min age must be from 1 to 120'],
  ['languages', 'en', 'Languages is invalid'],
  ['languages', '[]', "Languages can't be blank"],
  ['languages', '["en","klingon"]', 'Languages contains the unknown language klingon'],
  ['site_title', ' ', "Site title can't be blank"],
  ['site_short_description', 'x'.repeat(201), 'Site short description is too long (maximum is 200 characters)'],
  ['site_contact_email', 'nobody', 'Site contact email is invalid'],
  ['site_contact_email', 'staff@\u2066münchen.example', 'Site contact email is invalid'],
  ['status_page_url', 'javascript:alert(1)', 'Status page url is invalid'],
  ['site_title', undefined, 'Site title is invalid'],
  ['toString', 'x', 'Name is not a setting: toString'],
  ['__proto__', 'x', 'Name is not a setting: __proto__'],
])('%s refuses %j', (name, given, problem) => {
  expect(() => settingValue(name, given)).toThrow(`Validation failed: ${problem}`)
})

test('invalid and unknown rows do not affect other settings', () => {
  const settings = settingsOf([
    { name: 'trends', value: 'yes' },
    { name: 'gone', value: 1 },
    { name: 'site_title', value: 'Birds' },
  ])
  expect(settings).toEqual({
    ...InstanceSettings.parse({}),
    site_title: 'Birds',
    site_extended_description: '',
    site_terms: '',
  })
})

test('a stored contact address with an internationalised domain is used and published in ASCII', () => {
  const rows = [{ name: 'site_contact_email', value: 'staff@münchen.example' }]
  const ascii = { site_contact_email: 'staff@xn--mnchen-3ya.example' }
  expect([settingsOf(rows), publishedOf(rows)]).toMatchObject([ascii, ascii])
})

test('a value of a newer release counts as the strictest one, and is published as stored', () => {
  const rows = [
    { name: 'registrations_mode', value: 'by_vote' },
    { name: 'remote_topic_feed_access', value: 'staff' },
    { name: 'added', value: 1 },
    { name: 'site_terms', value: 'Long' },
  ]
  expect(settingsOf(rows)).toMatchObject({ registrations_mode: 'none', remote_topic_feed_access: 'disabled' })
  const published = publishedOf(rows)
  expect(published).toEqual({
    ...InstanceSettings.parse({}),
    ...{ registrations_mode: 'by_vote', remote_topic_feed_access: 'staff' },
  })
  expect(() => settingValue('registrations_mode', 'by_vote')).toThrow('is not included in the list')
})

test('a policy of an older release lacks settings', () => {
  const { trends: _trends, ...older } = InstanceSettings.parse({})
  expect([isWhole(older), isWhole({ ...older, trends: true, added: 1 })]).toEqual([false, true])
})

test('a new server has closed registrations and does not publish its blocks', () => {
  expect(settingsOf([])).toMatchObject({
    registrations_mode: 'none',
    profile_directory: true,
    trends: true,
    trendable_by_default: false,
    local_live_feed_access: 'public',
    show_domain_blocks: 'disabled',
    show_domain_blocks_rationale: 'disabled',
    peers_api_enabled: true,
    min_age: null,
  })
})
