/** Content warnings, poll options and titles that servers send as text or as HTML. */
import { statusRecords } from '@murmuration/contracts/statuses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 60_000)
afterAll(() => stage.world.stop())

const received = async (extra: Record<string, unknown>) => {
  const note = stage.note(stage.rita, extra)
  expect(await stage.say(stage.rita, 'Create', note)).toBe('done')
  return stage.shown(note.id)
}

test.each([
  ['text', 'a < b & c <3', 'a < b & c <3'],
  ['text with a lone tag', 'about <img> elements', 'about <img> elements'],
  ['HTML with entities', 'a &lt; b &amp; c &#39;d&#39;', "a < b & c 'd'"],
  ['HTML with markup', '<p>a &lt;b&gt; <em>c</em></p>', 'a <b> c'],
  ['HTML without text', '<b></b>', '<b></b>'],
])('a content warning as %s is shown as plain text', async (_form, summary, shown) => {
  expect(await received({ summary })).toMatchObject({ spoiler_text: shown, sensitive: true })
})

test('a poll option with entities is shown as plain text', async () => {
  const options = ['a &lt; b', 'a < b < c'].map((name) => ({ type: 'Note', name, replies: { totalItems: 0 } }))
  const status = await received({ type: 'Question', oneOf: options })
  expect(status?.poll?.options.map((it) => it.title)).toEqual(['a < b', 'a < b < c'])
})

test('a title with entities is shown as plain text', async () => {
  const status = await received({ type: 'Article', name: 'a &lt; b &amp; c' })
  expect(status?.content).toContain('a &lt; b &amp; c')
  expect(status?.content).not.toContain('&amp;lt;')
})

test.each([
  ['a < b & c <3', 'a < b & c <3'],
  ['the <b> tag', 'the <\u2060b> tag'],
  ['&lt; is an entity', '&\u2060lt; is an entity'],
])('the local content warning %j looks the same as text and as HTML', async (spoiler_text, summary) => {
  const { id } = await stage.write({ status: 'words', spoiler_text, visibility: 'public' })
  const uri = (await stage.world.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
  const document = await fetch(uri, { headers: { accept: 'application/activity+json' } }).then((it) => it.json())
  expect(document).toMatchObject({ summary })
})
