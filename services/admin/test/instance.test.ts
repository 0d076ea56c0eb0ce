/** The instance documents, rules and pages, and their cost. */
import {
  createRule,
  extendedDescription,
  listAuditLog,
  listLanguages,
  listRules,
  privacyPolicy,
  removeRule,
  setSetting,
  showInstance,
  showInstanceV1,
  showPicture,
  updateRule,
} from '@murmuration/contracts/admin'
import { siteOf } from '@murmuration/kernel'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectGolden } from './golden.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
beforeAll(async () => {
  harness = await startHarness({
    env: { VAPID_PUBLIC_KEY: 'BPublicKeyOfThePush', SOURCE_BASE_URL: 'https://code.example/birds' },
  })
  call = harness.cluster.call
})
afterAll(() => harness.cluster.stop())
beforeEach(() => {
  harness.fixtures.asked.length = 0
})
const set = (name: string, value: unknown) => call(setSetting, { name, value })

/** The document without the member that depends on the date. */
const outOfSeason = <T extends object>(instance: T): T => ({ ...instance, wrapstodon: null })

test('S-085 S-201 S-204 S-205 S-212 the instance document of a new server', async () => {
  const instance = await call(showInstance, {})
  expect(instance.configuration.accounts).toMatchObject({ max_featured_tags: 10, max_pinned_statuses: 5 })
  // The users that were active in 30 days, and not those of 180 days.
  expect(instance.usage.users.active_month).toBe(4)
  expect(instance.thumbnail.url).toBe(`${harness.cluster.origin}/instance/pictures/banner.png`)
  expect(instance.registrations).toMatchObject({ enabled: false, message: null })
  expect(instance.configuration.vapid.public_key).toBe('BPublicKeyOfThePush')
  await expectGolden('instance-fresh', outOfSeason(instance), harness.cluster.origin)
})

test('S-086 S-205 S-212 the instance document of API v1 of a new server', async () => {
  const instance = await call(showInstanceV1, {})
  expect(instance.configuration.accounts.max_featured_tags).toBe(10)
  expect(instance.stats).toEqual({ user_count: 6, status_count: 1_234, domain_count: 3 })
  expect(instance.uri).toBe(harness.cluster.env.LOCAL_DOMAIN)
  expect(instance.thumbnail).toBe(`${harness.cluster.origin}/instance/pictures/banner.png`)
  await expectGolden('instance-v1-fresh', instance, harness.cluster.origin)
})

test('instance documents of a configured server', async () => {
  await set('site_title', 'Birds of a feather')
  await set('site_short_description', 'A server for people who watch birds.')
  await set('site_contact_email', 'staff@here.example')
  await set('site_contact_account', 'ada')
  await set('registrations_mode', 'none')
  await set('closed_registrations_message', 'Back in *spring*. <b>Really</b>')
  await set('max_characters', '1000')
  await set('languages', '["en","de"]')
  await set('status_page_url', 'https://status.example/')
  await set('remote_live_feed_access', 'authenticated')
  const kind = await call(createRule, {
    text: 'Be kind',
    hint: 'Also to ducks',
    translations: { de: { text: 'Sei nett' } },
  })
  const second = await call(createRule, { text: 'No spam' })
  const names = { kind: kind.id, second: second.id }
  await expectGolden('instance-settled', outOfSeason(await call(showInstance, {})), harness.cluster.origin, names)
  await expectGolden('instance-v1-settled', await call(showInstanceV1, {}), harness.cluster.origin, names)
})

test('registrations with approval require a reason if configured', async () => {
  await set('registrations_mode', 'approved')
  await set('require_invite_text', 'true')
  await set('min_age', '16')
  expect((await call(showInstance, {})).registrations).toEqual({
    enabled: true,
    approval_required: true,
    reason_required: true,
    message: null,
    min_age: 16,
    url: null,
  })
  expect(await call(showInstanceV1, {})).toMatchObject({ registrations: true, approval_required: true })
  await set('registrations_mode', 'open')
  expect((await call(showInstance, {})).registrations).toMatchObject({
    enabled: true,
    approval_required: false,
    reason_required: false,
  })
})

test('S-036 a server with a single user has closed registrations, whatever staff set', async () => {
  const single = await startHarness({ env: { SINGLE_USER_MODE: 'true' } })
  await single.cluster.call(setSetting, { name: 'registrations_mode', value: 'approved' })
  await single.cluster.call(setSetting, { name: 'require_invite_text', value: 'true' })
  await expect.poll(() => single.ctx.policy.settings().require_invite_text).toBe(true)
  expect(single.ctx.policy.settings().registrations_mode).toBe('approved')
  const closed = { enabled: false, approval_required: false, reason_required: false }
  expect((await single.cluster.call(showInstance, {})).registrations).toMatchObject(closed)
  expect(await single.cluster.call(showInstanceV1, {})).toMatchObject({
    registrations: false,
    approval_required: false,
  })
  await single.cluster.stop()
})

test('many requests send one request to each other service', async () => {
  harness.ctx.clock.moveTo(60_000)
  await Promise.all(Array.from({ length: 30 }, () => call(showInstance, {})))
  await call(showInstanceV1, {})
  const asked = harness.fixtures.asked.map((one) => one.operation)
  expect(asked.filter((name) => name === 'accounts.account.figures')).toHaveLength(1)
  expect(asked.filter((name) => name === 'statuses.status.figures')).toHaveLength(1)
  expect(asked.filter((name) => name === 'accounts.card.get').length).toBeLessThanOrEqual(1)
})

test('the document is served while other services do not respond', async () => {
  harness.ctx.clock.moveTo(180_000)
  for (const name of ['accounts.account.figures', 'statuses.status.figures', 'accounts.card.get'])
    harness.fixtures.away.add(name)
  const instance = await call(showInstanceV1, {})
  expect(instance.stats.user_count).toBe(6)
  harness.fixtures.away.clear()
  harness.ctx.clock.moveTo(0)
})

test('A160 the media types are those of media, or the last known ones while it does not respond', async () => {
  harness.fixtures.mimeTypes = ['image/jpeg', 'image/avif']
  harness.ctx.clock.moveTo(240_000)
  const types = async () => (await call(showInstance, {})).configuration.media_attachments.supported_mime_types
  expect(await types()).toEqual(['image/jpeg', 'image/avif'])
  harness.fixtures.away.add('media.attachment.formats')
  harness.ctx.clock.moveTo(300_000)
  expect(await types()).toEqual(['image/jpeg', 'image/avif'])
  expect((await call(showInstanceV1, {})).configuration.media_attachments.supported_mime_types).toEqual(await types())
  harness.fixtures.away.clear()
  harness.ctx.clock.moveTo(0)
})

test('invites are enabled if the base role of all users may invite, as last known', async () => {
  const enabled = async (atMs: number, invitesEnabled?: boolean) => {
    harness.fixtures.accountCounts = invitesEnabled === undefined ? {} : { invitesEnabled }
    harness.ctx.clock.moveTo(atMs)
    return (await call(showInstanceV1, {})).invites_enabled
  }
  expect(await enabled(360_000, false)).toBe(false)
  // An accounts service of an earlier release leaves it out.
  expect(await enabled(400_000)).toBe(false)
  expect(await enabled(440_000, true)).toBe(true)
  harness.ctx.clock.moveTo(0)
})

test('the link to the source code is the configured one, or the about page', async () => {
  expect((await call(showInstance, {})).source_url).toBe('https://code.example/birds')
  const site = {
    localDomain: 'birds.example',
    webDomain: '',
    alternateDomains: '',
    localHttps: 'auto',
    sourceUrl: '',
  } as const
  expect(siteOf(site).source).toBe('https://birds.example/about#source')
})

test('rules are listed in the order that staff chose, without removed ones', async () => {
  const [first] = await call(listRules, {})
  const third = await call(createRule, { text: 'Feed the birds' })
  await call(updateRule, { id: first?.id ?? '', priority: 9, hint: 'All of them' })
  expect((await call(listRules, {})).map((rule) => rule.text)).toEqual(['No spam', 'Feed the birds', 'Be kind'])
  await call(removeRule, { id: third.id })
  const rules = await call(listRules, {})
  expect(rules.map((rule) => rule.text)).toEqual(['No spam', 'Be kind'])
  expect(rules[1]).toMatchObject({ hint: 'All of them', translations: { de: { text: 'Sei nett', hint: '' } } })
  await expect(call(removeRule, { id: third.id })).rejects.toMatchObject({ code: 'not_found' })
  await expect(call(updateRule, { id: rules[0]?.id ?? '', text: ' ' })).rejects.toMatchObject({
    message: "Validation failed: Text can't be blank",
  })
  // Processes of the release before do not check the value, and PostgreSQL reads the text `1_000` as 1000.
  expect(updateRule.input.parse({ id: '1', priority: '1_000' })).toEqual({ id: '1', priority: -1 })
  const wrong: [object, string][] = [
    ...['first', '1.5', '1_000', -1, 1_000_001].map((priority): [object, string] => [{ priority }, 'Priority']),
    [{ translations: { nonsense: { text: 'x' } } }, 'Translations'],
    [{ translations: 'x' }, 'Translations'],
  ]
  for (const [invalid, name] of wrong) {
    const message = `Validation failed: ${name} is invalid`
    const change = (id: string) => call(updateRule, { id, ...invalid })
    await expect(change(rules[0]?.id ?? '')).rejects.toMatchObject({ status: 422, message })
    await expect(change(third.id), 'a removed rule').rejects.toMatchObject({ status: 404 })
  }
  const { entries } = await call(listAuditLog, { limit: 3 })
  expect(entries.map((entry) => entry.action)).toEqual(['destroy_rule', 'update_rule', 'create_rule'])
  const older = await call(listAuditLog, { limit: 1, max_id: entries[2]?.id })
  expect(BigInt(older.entries[0]?.id ?? 0)).toBeLessThan(BigInt(entries[2]?.id ?? 0))
})

test('S-087 languages: all 214, with code and name', async () => {
  const languages = await call(listLanguages, {})
  expect(languages).toHaveLength(214)
  expect(languages).toContainEqual({ code: 'de', name: 'German' })
})

test('the extended description is empty by default', async () => {
  expect(await call(extendedDescription, {})).toEqual({ updated_at: null, content: '' })
  await set('site_extended_description', '# Birds\n\nWe watch *birds*.')
  const written = await call(extendedDescription, {})
  expect(written.content).toBe('<h1>Birds</h1>\n<p>We watch <em>birds</em>.</p>\n')
  expect(written.updated_at).not.toBeNull()
  await set('site_extended_description', '')
  expect(await call(extendedDescription, {})).toEqual({ updated_at: null, content: '' })
})

test('S-216 the documents name the version of the API that clients compare', async () => {
  const { version, api_versions } = await call(showInstance, {})
  expect(api_versions).toEqual({ mastodon: 11 })
  expect(version).toMatch(/^4\.6\.\d+/)
  expect((await call(showInstanceV1, {})).version).toBe(version)
})

test('S-090 the privacy policy is Markdown and HTML, with a default text', async () => {
  const usual = await call(privacyPolicy, {})
  expect(usual.text).toContain(`# Privacy policy of ${harness.cluster.env.LOCAL_DOMAIN}\n\n`)
  expect(usual.content).toMatch(/^<h1>Privacy policy of /)
  await set('site_terms', 'On %{domain} we keep <nothing>. ![x](https://spy.example/p.png)')
  const written = await call(privacyPolicy, {})
  expect(written.text).toBe(`On ${harness.cluster.env.LOCAL_DOMAIN} we keep <nothing>. ![x](https://spy.example/p.png)`)
  expect(written.content).toBe(`<p>On ${harness.cluster.env.LOCAL_DOMAIN} we keep &lt;nothing&gt;. </p>\n`)
  expect(Date.parse(written.updated_at)).toBeGreaterThan(Date.parse(usual.updated_at))
})

test.each([
  ['de', 'Datenschutzerklärung von', 'Welche Daten wir erheben'],
  ['de-AT', 'Datenschutzerklärung von', 'Welche Daten wir erheben'],
  ['tlh', 'Privacy policy of', 'What information we collect'],
  [null, 'Privacy policy of', 'What information we collect'],
])('the default privacy policy in the language %s', async (lang, title, heading) => {
  await set('site_terms', '')
  const { text, content } = await call(privacyPolicy, { lang })
  expect(text.startsWith(`# ${title} ${harness.cluster.env.LOCAL_DOMAIN}\n\n`)).toBe(true)
  expect(content).toContain(`<h2>${heading}</h2>`)
  expect(content.match(/<li>/g)).toHaveLength(6)
  expect(content).not.toContain('{')
})

test('the banner and icons in the document are pictures of the stated sizes', async () => {
  const { thumbnail, icon } = await call(showInstance, {})
  const sizes = await Promise.all(
    [thumbnail.url, ...icon.map((one) => one.src)].map(async (url) => {
      const bytes = await call(showPicture, { name: url.slice(url.lastIndexOf('/') + 1) })
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      expect(view.getUint32(0)).toBe(0x89504e47)
      return `${view.getUint32(16)}x${view.getUint32(20)}`
    }),
  )
  expect(sizes).toEqual(['1200x630', ...icon.map((one) => one.size)])
  await expect(call(showPicture, { name: '../package.json' })).rejects.toMatchObject({ code: 'not_found' })
})

test('S-165 the document contains the year of annual reports while they can be generated', async () => {
  const itIs = (day: string) => harness.ctx.clock.moveTo(Date.parse(day) - Date.now())
  itIs('2027-12-09T23:00:00Z')
  expect((await call(showInstance, {})).wrapstodon).toBeNull()
  itIs('2027-12-10T01:00:00Z')
  expect((await call(showInstance, {})).wrapstodon).toBe('2027')
  await set('wrapstodon', 'false')
  expect((await call(showInstance, {})).wrapstodon).toBeNull()
})
