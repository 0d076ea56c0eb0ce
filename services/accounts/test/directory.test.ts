/** Tests of the directory, suggestions, profiles for editing, and verified links. */
import { randomUUID } from 'node:crypto'
import {
  changeProfile,
  createBlock,
  createDomainBlock,
  createFollow,
  createMute,
  dismissSuggestion,
  getProfile,
  listDirectory,
  listSuggestions,
  putRemote,
  showAccount,
  suggestionAccounts,
  updateCredentials,
  verifyCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recommendAccounts } from '../src/suggestion/ticks.js'
import { asked, linksBack, remoteActor } from './harness.js'
import { type JoiningHarness, startJoining } from './joining-harness.js'

let harness: JoiningHarness
let me: Viewer
beforeAll(async () => {
  harness = await startJoining()
  me = await harness.createAccount('me')
})
afterAll(() => harness.stop())

const show = (who: Viewer, discoverable = true) => harness.call(updateCredentials, { discoverable }, who)
const found = async (name: string): Promise<Viewer> => {
  const viewer = await harness.createAccount(name)
  await show(viewer)
  return viewer
}
const ids = (list: { id: string }[]) => list.map((one) => one.id)
const directory = async (input: object = {}, who: Viewer | null = null) =>
  ids(await harness.call(listDirectory, input, who))
const wrote = (id: string, at: string) =>
  harness.db('accounts').run(sql`update account_stats set last_status_at = ${new Date(at)} where account_id = ${id}`)

describe('the directory', () => {
  test('contains discoverable accounts, by last status or by creation', async () => {
    const [anna, bert, cora] = [await found('anna'), await found('bert'), await found('cora')]
    await harness.createAccount('shy')
    await harness.createAccount('unconfirmed', { confirmed: false })
    const far = await harness.remote('faraway', { domain: 'far.example' })
    await wrote(anna.id, '2026-01-03')
    await wrote(far, '2026-01-02')
    await wrote(cora.id, '2026-01-01')
    expect(await directory()).toEqual([anna.id, far, cora.id, bert.id])
    expect(await directory({ local: 'true' })).toEqual([anna.id, cora.id, bert.id])
    expect(await directory({ order: 'new' })).toEqual([far, cora.id, bert.id, anna.id])
    expect(await directory({ order: 'new', local: true, limit: 1, offset: 1 })).toEqual([bert.id])
    expect(await directory({ limit: 2, offset: 2 })).toEqual([cora.id, bert.id])
    expect(listDirectory.input.parse({ limit: '500' }).limit).toBe(80)
  })

  test('leaves out limited and moved accounts, and those with a block or mute of the viewer', async () => {
    const [dora, emil, fred, gina] = [
      await found('dora'),
      await found('emil'),
      await found('fred'),
      await found('gina'),
    ]
    const bad = await harness.remote('badone', { domain: 'bad.example' })
    const gone = await harness.remote('gone', { domain: 'far.example', moved_to: 'https://new.example/users/gone' })
    expect(await directory({ order: 'new' })).toContain(gone)
    expect(await directory()).toContain(gone)
    await harness.remote('gone', { domain: 'new.example' })
    await harness.db('accounts').run(sql`update accounts set silenced_at = now() where id = ${gina.id}`)
    await harness.call(createBlock, { id: dora.id }, me)
    await harness.call(createMute, { id: emil.id }, me)
    await harness.call(createBlock, { id: me.id }, fred)
    await harness.call(createDomainBlock, { domain: 'bad.example' }, me)
    const everybody = await directory()
    expect(everybody).toEqual(expect.arrayContaining([dora.id, emil.id, fred.id, bad]))
    expect(everybody).not.toContain(gina.id)
    expect(everybody).not.toContain(gone)
    const ofViewer = await directory({}, me)
    for (const id of [dora.id, emil.id, fred.id, bad]) expect(ofViewer).not.toContain(id)
    const latest = await directory({ order: 'new', local: true }, me)
    for (const id of [dora.id, emil.id, fred.id]) expect(latest).not.toContain(id)
  })

  test('is not found if staff disabled it', async () => {
    await harness.policy({ profile_directory: false })
    await expect(directory()).rejects.toMatchObject({ status: 404, message: 'Not Found' })
    await harness.policy({})
  })

  test('is unavailable until the settings of staff are loaded', async () => {
    const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
    const loaded = vi.spyOn(ctx.policy, 'loaded').mockReturnValue(false)
    await expect(directory()).rejects.toMatchObject({ status: 503 })
    loaded.mockRestore()
  })
})

describe('suggestions', () => {
  const suggested = async (who: Viewer, input: object = {}) =>
    (await harness.call(listSuggestions, input, who)).map((one) => [one.account.username, one.source, one.sources])
  const recommend = () => recommendAccounts.run(harness.host.running.find((one) => one.service === 'accounts')?.ctx)

  test('are accounts that staff features, followees of followees, and the most followed accounts', async () => {
    const [ida, jon, kim, leo, newcomer] = [
      await found('ida'),
      await found('jon'),
      await found('kim'),
      await found('leo'),
      await harness.createAccount('newcomer'),
    ]
    for (const fan of [ida, jon, leo]) await harness.call(createFollow, { id: kim.id }, fan)
    await harness.call(createFollow, { id: jon.id }, ida)
    await harness.call(createFollow, { id: ida.id }, newcomer)
    await recommend()
    await harness.policy({ bootstrap_timeline_accounts: 'leo, @nobody, @me' })
    expect(await suggested(newcomer)).toEqual([
      ['leo', 'staff', ['featured']],
      ['kim', 'past_interactions', ['friends_of_friends', 'most_followed']],
      ['jon', 'past_interactions', ['friends_of_friends', 'most_followed']],
    ])
    expect(
      (await harness.call(suggestionAccounts, { limit: 1, offset: 1 }, newcomer)).map((one) => one.username),
    ).toEqual(['kim'])
    expect(await harness.call(dismissSuggestion, { account_id: leo.id }, newcomer)).toEqual({})
    expect(await harness.call(dismissSuggestion, { account_id: leo.id }, newcomer)).toEqual({})
    expect(await harness.call(dismissSuggestion, { account_id: '77' }, newcomer)).toEqual({})
    await harness.call(createFollow, { id: jon.id }, newcomer)
    expect(await suggested(newcomer)).toEqual([['kim', 'past_interactions', ['friends_of_friends', 'most_followed']]])
    await show(kim, false)
    expect(await suggested(newcomer)).toEqual([])
    await show(kim)
    await harness.call(createMute, { id: kim.id }, newcomer)
    expect(await suggested(newcomer)).toEqual([])
    await harness.policy({})
  })

  test('do not reveal hidden follows', async () => {
    const [hider, liked, reader] = [await found('hider'), await found('liked'), await harness.createAccount('reader')]
    await harness.call(createFollow, { id: liked.id }, hider)
    await harness.call(createFollow, { id: hider.id }, reader)
    expect((await suggested(reader)).map(([name]) => name)).toContain('liked')
    await harness.call(updateCredentials, { hide_collections: true }, hider)
    expect((await suggested(reader)).filter(([, , sources]) => sources?.includes('friends_of_friends'))).toEqual([])
  })
})

describe('profiles for editing', () => {
  test('S-160 S-065 contain texts as typed and as HTML, and pictures only if set', async () => {
    const pia = await harness.createAccount('pia')
    expect(await harness.call(getProfile, { id: pia.id })).toMatchObject({
      avatar: null,
      header_static: null,
      note: '',
    })
    const key = `staging/${randomUUID().slice(0, -1)}a`
    const changed = await harness.call(changeProfile, {
      id: pia.id,
      display_name: 'Pia',
      note: 'with #tags',
      avatar: { key, size: 1, type: 'image/png', name: 'a' },
      avatar_description: 'me',
      fields_attributes: { 0: { name: 'Home', value: 'https://pia.example' } } as never,
      hide_collections: true,
      show_media: false,
      show_featured: '0',
      attribution_domains: ['News.Example'],
    })
    expect(changed).toMatchObject({
      display_name: 'Pia',
      note: 'with #tags',
      formatted_note: expect.stringContaining('<a href='),
      fields: [{ name: 'Home', value: 'https://pia.example', verified_at: null }],
      formatted_fields: [{ name: 'Home', value: expect.stringContaining('rel="nofollow noopener me"') }],
      avatar: expect.stringContaining('/media/avatar/'),
      header: null,
      hide_collections: true,
      show_media: false,
      show_media_replies: true,
      show_featured: false,
      attribution_domains: ['news.example'],
    })
    expect(changed).toEqual(await harness.call(getProfile, { id: pia.id }))
    await expect(harness.call(changeProfile, { id: pia.id, display_name: 'x'.repeat(41) })).rejects.toMatchObject({
      status: 422,
      extras: { body: { details: { display_name: [{ error: 'ERR_TOO_LONG' }] } } },
    })
  })
})

describe('verified links', () => {
  const fieldsOf = async (who: Viewer) => {
    await harness.waitForIdle()
    const { fields, source } = await harness.call(verifyCredentials, {}, who)
    return fields.map((field, i) => [
      source.fields[i]?.value,
      field.verified_at !== null,
      source.fields[i]?.verified_at !== null,
    ])
  }
  const edit = (who: Viewer, ...values: string[]) =>
    harness.call(updateCredentials, { fields_attributes: values.map((value) => ({ name: 'x', value })) }, who)

  test('are verified once, kept while the value stays, and checked again after a change', async () => {
    const quinn = await harness.createAccount('quinn')
    const profile = `${harness.origin}/@quinn`
    linksBack.set('https://quinn.example', profile)
    linksBack.set('https://other.example', `${harness.origin}/@somebody`)
    // Waits for jobs that earlier tests queued.
    await harness.waitForIdle()
    asked.length = 0
    await edit(
      quinn,
      'https://quinn.example',
      'https://other.example',
      'http://plain.example',
      'see https://quinn.example',
    )
    expect(await fieldsOf(quinn)).toEqual([
      ['https://quinn.example', true, true],
      ['https://other.example', false, false],
      ['http://plain.example', false, false],
      ['see https://quinn.example', false, false],
    ])
    expect(asked.filter((one) => one.startsWith('page ')).sort()).toEqual([
      'page https://other.example',
      'page https://quinn.example',
    ])
    linksBack.delete('https://quinn.example')
    asked.length = 0
    await edit(quinn, 'https://quinn.example')
    expect(await fieldsOf(quinn)).toEqual([['https://quinn.example', true, true]])
    expect(asked.filter((one) => one.startsWith('page '))).toEqual([])
    await edit(quinn, 'https://quinn.example/')
    expect(await fieldsOf(quinn)).toEqual([['https://quinn.example/', false, false]])
  })

  test('are verified only if the profile shows the link that was checked', async () => {
    const sasha = await harness.createAccount('sasha')
    linksBack.set('https://sasha.example', `${harness.origin}/@sasha`)
    await edit(sasha, 'https://bank.example')
    await harness.waitForIdle()
    // An earlier release stored such rows after two simultaneous edits.
    await harness
      .db('accounts')
      .run(sql`update accounts set fields = jsonb_set(fields, '{0,value}', '"https://sasha.example"')
      where id = ${sasha.id}`)
    await harness.call(updateCredentials, { bot: true }, sasha)
    expect(await fieldsOf(sasha)).toEqual([['https://sasha.example', false, false]])
    await edit(sasha, 'https://sasha.example')
    expect(await fieldsOf(sasha)).toEqual([['https://sasha.example', true, true]])
  })

  test('are verified for remote profiles, too, and shown as the link only', async () => {
    const link =
      '<a href="https://rosa.example" rel="me nofollow noopener" target="_blank"><b>https://rosa.example</b></a>'
    const actor = remoteActor('rosa', {
      fields: [
        { name: 'Web', value: link },
        { name: 'Not', value: 'https://rosa.example' },
      ],
    })
    linksBack.set('https://rosa.example', actor.url)
    const { record } = await harness.call(putRemote, { actor })
    await harness.waitForIdle()
    const fields = async () => (await harness.call(showAccount, { id: record.id })).fields
    const first = await fields()
    expect(first[0]?.verified_at).not.toBeNull()
    expect(first[0]?.value).toBe(
      '<a href="https://rosa.example" target="_blank" rel="nofollow noopener me" translate="no"><span class="invisible">https://</span><span class="">rosa.example</span><span class="invisible"></span></a>',
    )
    expect(first[1]).toMatchObject({ verified_at: null })
    // A new fetch of the profile keeps the verification, without another check.
    asked.length = 0
    await harness.call(putRemote, { actor })
    await harness.waitForIdle()
    expect(await fields()).toEqual(first)
    expect(asked).toEqual([])
  })
})
